"""/v1/files and /v1/batches as OpenAI describes them: a file of lines with a custom id each, a batch
over it that goes through its statuses, answers and errors in files of their own and in any order."""

import json
import time
from collections.abc import Callable
from email import message_from_bytes
from typing import Any

from tests.support.standins.http_server import Request, Response, answer_json
from tests.support.standins.settings import ChatOptions

Line = Callable[[dict[str, Any]], tuple[int, Any]]
AT_WORK = ("validating", "in_progress", "finalizing")
EXPIRED = {
    "code": "batch_expired",
    "message": "This request could not be executed before the completion window expired.",
}


class Batches:
    """The files and batches of one server. ``line`` answers one request."""

    def __init__(self, line: Line, options: ChatOptions) -> None:
        self.line, self.options = line, options
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self._looks: dict[str, int] = {}

    def answer(self, method: str, route: str, request: Request) -> Response | None:
        """The answer of one of these routes; None for a route that there is not."""
        match method, route.strip("/").split("/"):
            case "POST", ["files"]:
                return self._upload(request)
            case "GET", ["files", id, "content"] if id in self.files:
                return Response(200, self.files[id], content_type="application/octet-stream")
            case "POST", ["batches"]:
                return self._create(request.json or {})
            case "GET", ["batches"]:
                return self._list(request.params)
            case "GET", ["batches", id] if id in self.batches:
                self._look(id)
                return answer_json(self.batches[id])
            case "POST", ["batches", id, "cancel"] if id in self.batches:
                self.batches[id] |= {"status": "cancelling", "cancelling_at": int(time.time())}
                return answer_json(self.batches[id])
        return None

    @property
    def asked(self) -> list[str]:
        """The custom ids of all requests that were answered, in all batches."""
        outputs = (one["output_file_id"] for one in self.batches.values())
        rows = (row for id in outputs if id for row in self.files[id].splitlines())
        return [json.loads(row)["custom_id"] for row in rows]

    def _upload(self, request: Request) -> Response:
        kind = request.headers["content-type"]
        whole = message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + request.body)
        parts = {
            part.get_param("name", header="content-disposition"): part for part in whole.walk()
        }
        content: Any = parts["file"].get_payload(decode=True)
        purpose: Any = parts["purpose"].get_payload(decode=True)
        id = self._keep(content)
        named = {"filename": parts["file"].get_filename(), "purpose": purpose.decode()}
        about = {"id": id, "object": "file", "bytes": len(content), "created_at": int(time.time())}
        return answer_json({**about, **named, "status": "processed"})

    def _keep(self, content: bytes) -> str:
        id = f"file-{len(self.files) + 1}"
        self.files[id] = content
        return id

    def _create(self, asked: dict[str, Any]) -> Response:
        wrong = (
            asked.get("input_file_id") not in self.files
            or asked.get("endpoint") != "/v1/chat/completions"
            or asked.get("completion_window") != "24h"
        )
        if wrong:
            error = {"message": "Invalid batch", "type": "invalid_request_error", "code": None}
            return answer_json({"error": error}, 400)
        now, id = int(time.time()), f"batch_{len(self.batches) + 1}"
        self.batches[id] = {
            "id": id,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "errors": None,
            "input_file_id": asked["input_file_id"],
            "completion_window": "24h",
            "status": AT_WORK[0],
            "output_file_id": None,
            "error_file_id": None,
            "created_at": now,
            "expires_at": now + 24 * 3600,
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": asked.get("metadata"),
        }
        self._looks[id] = 0
        return answer_json(self.batches[id])

    def _list(self, params: dict[str, str]) -> Response:
        """The newest first, from behind ``after`` on."""
        ids = list(reversed(self.batches))
        start = ids.index(params["after"]) + 1 if "after" in params else 0
        page = ids[start:][: int(params.get("limit", 20))]
        rows = [self.batches[id] for id in page]
        ends = {"first_id": page[0], "last_id": page[-1]} if page else {}
        more = start + len(page) < len(ids)
        return answer_json({"object": "list", "data": rows, "has_more": more, **ends})

    def _look(self, id: str) -> None:
        """Each look brings a batch a step on."""
        batch, looks = self.batches[id], self._looks[id]
        self._looks[id] += 1
        if batch["status"] not in (*AT_WORK, "cancelling"):
            return
        if batch["status"] == "cancelling":
            self._end(id, "cancelled", 0)
        elif looks < self.options.looks:
            batch["status"] = AT_WORK[min(looks, len(AT_WORK) - 1)]
        elif self.options.expires_after >= 0 and id == "batch_1":
            self._end(id, "expired", self.options.expires_after)
        else:
            self._end(id, "completed", None)

    def _end(self, id: str, status: str, most: int | None) -> None:
        """Answer the first ``most`` lines (None: all); the answers stand in the reverse order."""
        batch = self.batches[id]
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        if len({line["custom_id"] for line in lines}) < len(lines):
            error = {"code": "duplicate_custom_id", "message": "A custom_id is there twice."}
            batch |= {"status": "failed", "errors": {"object": "list", "data": [error]}}
            return
        good, bad = list[str](), list[str]()
        for n, line in enumerate(lines):
            row = {"id": f"batch_req_{id}_{n}", "custom_id": line["custom_id"]}
            if most is not None and n >= most:
                bad.append(json.dumps({**row, "response": None, "error": EXPIRED}))
                continue
            code, body = self.line(line["body"])
            response = {"status_code": code, "request_id": f"req_{n}", "body": body}
            (good if code == 200 else bad).append(
                json.dumps({**row, "response": response, "error": None})
            )
        for name, rows in (("output_file_id", good), ("error_file_id", bad)):
            if rows:
                batch[name] = self._keep("\n".join(reversed(rows)).encode())
        batch["status"] = status
        batch["request_counts"] = {
            "total": len(lines),
            "completed": len(good),
            "failed": len(bad),
        }
