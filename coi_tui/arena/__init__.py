"""The arena: judgements, who meets whom, ratings, and who is better.

``ratings`` and ``pairing`` compare the ideas of a session; ``judgements`` and ``strengths`` compare
methods, models and settings over many topics.
"""

from coi_tui.arena.pairing import Pair as Pair
from coi_tui.arena.pairing import Points as Points
from coi_tui.arena.pairing import Tournament as Tournament
from coi_tui.arena.pairing import too_few as too_few
from coi_tui.arena.pairing import tournament as tournament
from coi_tui.arena.ratings import CRITERIA as CRITERIA
from coi_tui.arena.ratings import TIE as TIE
from coi_tui.arena.ratings import Game as Game
from coi_tui.arena.ratings import MatchResult as MatchResult
from coi_tui.arena.ratings import Standing as Standing
from coi_tui.arena.ratings import agreed as agreed
from coi_tui.arena.ratings import bradley_terry as bradley_terry
from coi_tui.arena.ratings import games_of as games_of
from coi_tui.arena.ratings import intervals as intervals
from coi_tui.arena.ratings import leader as leader
from coi_tui.arena.ratings import mean_elo as mean_elo
from coi_tui.arena.ratings import standings as standings
