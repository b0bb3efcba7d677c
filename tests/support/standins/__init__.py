"""Loopback stand-ins for an OpenAI-shaped model server and Semantic Scholar, for benchmarks and
tests.

In process: ``async with StandIns(Settings(latency=BENCH)) as pair: pair.chat_url, pair.s2_url,
pair.log``. In its own: ``with StandInProcess(settings, log_file) as pair``.
"""

from tests.support.standins.corpus import make_corpus as make_corpus
from tests.support.standins.corpus import make_index as make_index
from tests.support.standins.http_server import StandIn as StandIn
from tests.support.standins.request_log import Entry as Entry
from tests.support.standins.request_log import repeated as repeated
from tests.support.standins.request_log import select as select
from tests.support.standins.servers import StandInProcess as StandInProcess
from tests.support.standins.servers import StandIns as StandIns
from tests.support.standins.settings import BENCH as BENCH
from tests.support.standins.settings import QUICK as QUICK
from tests.support.standins.settings import SLOW as SLOW
from tests.support.standins.settings import ChatOptions as ChatOptions
from tests.support.standins.settings import Faults as Faults
from tests.support.standins.settings import Hold as Hold
from tests.support.standins.settings import Latency as Latency
from tests.support.standins.settings import S2Options as S2Options
from tests.support.standins.settings import Settings as Settings
