"""A server on loopback that speaks what huggingface_hub asks a Hub, with faults on demand."""

import hashlib
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

LARGE = 20_000  # bytes: a larger file is kept as the Hub keeps large ones


def git_hash(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class Faults:
    """What goes wrong. The lists are used up, one element a request; keys are file names, "api" for questions about a repository.

    status: {key: [status]}; cut: {name: [bytes sent before the connection breaks]}; reset: cuts are abrupt; silence: {key: seconds before an answer}; size: {name: bytes more than the list says};
    spoilt: names whose content is changed; gated: ids; page: an HTML page answers everything; retry_after: seconds, with a 429; no_range: ranges are ignored."""

    status: dict[str, list[int]] = field(default_factory=dict)
    cut: dict[str, list[int]] = field(default_factory=dict)
    reset: bool = False
    silence: dict[str, float] = field(default_factory=dict)
    size: dict[str, int] = field(default_factory=dict)
    spoilt: set[str] = field(default_factory=set)
    gated: set[str] = field(default_factory=set)
    page: bool = False
    retry_after: int | None = None
    no_range: bool = False


class Hub:
    """Repositories and what was asked of them. requests: (method, path, range header or ""); tokens: (host, Authorization) of each."""

    def __init__(self):
        self.repositories: dict[str, dict[str, dict[str, bytes]]] = {}
        self.branches: dict[str, dict[str, str]] = {}
        self.faults = Faults()
        self.requests: list[tuple[str, str, str]] = []
        self.tokens: list[tuple[str, str]] = []
        self.sent: dict[str, int] = {}
        self.url = ""

    def add(self, model_id: str, files: dict[str, bytes], *branches: str) -> str:
        """A commit of a repository, which the branches (default: main) are from now on. Returns its hash."""
        listing = {name: git_hash(content) for name, content in files.items()}
        commit = hashlib.sha1(json.dumps([model_id, listing]).encode()).hexdigest()
        self.repositories.setdefault(model_id, {})[commit] = files
        self.branches.setdefault(model_id, {}).update(dict.fromkeys(branches or ["main"], commit))
        return commit

    def asked(self, part: str, method: str = "GET") -> list[tuple[str, str, str]]:
        """The requests whose path holds `part`."""
        return [request for request in self.requests if request[0] == method and part in request[1]]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self) -> None:
        hub, path = self.hub, unquote(urlsplit(self.path).path)
        hub.requests.append((self.command, path, self.headers.get("Range", "")))
        hub.tokens.append((self.headers.get("Host", ""), self.headers.get("Authorization", "")))
        key = "api" if path.startswith("/api/") else path.rsplit("/", 1)[-1]
        time.sleep(hub.faults.silence.get(key, 0))
        if hub.faults.page:
            return self.send(200, b"<html>Sign in</html>", {"Content-Type": "text/html"})
        if statuses := hub.faults.status.get(key):
            return self.refuse(statuses.pop(0))
        raw = urlsplit(self.path).path.removeprefix("/api/models").removeprefix("/cdn")
        owner, name, *rest = map(unquote, raw.strip("/").split("/"))  # a revision may hold a slash
        model_id = f"{owner}/{name}"
        if model_id not in hub.repositories:
            return self.refuse(404 if "Authorization" in self.headers else 401, "RepoNotFound")
        if key == "api":
            return self.describe(model_id, rest)
        if path.startswith("/cdn/"):
            return self.send_file(model_id, rest[0], "/".join(rest[1:]))
        return self.resolve(model_id, rest[1], "/".join(rest[2:]))

    def commit_of(self, model_id: str, revision: str) -> str | None:
        known = self.hub.branches[model_id].get(revision, revision)
        return known if known in self.hub.repositories[model_id] else None

    def describe(self, model_id: str, rest: list[str]) -> None:
        commit = self.commit_of(model_id, rest[1] if len(rest) > 1 else "main")
        if commit is None:
            return self.refuse(404, "RevisionNotFound")
        files = self.hub.repositories[model_id][commit]
        if rest and rest[0] == "tree":
            entries = [self.entry("path", "oid", name, content) for name, content in files.items()]
            return self.send_json([{"type": "file", **entry} for entry in entries])
        siblings = [self.entry("rfilename", "blobId", *item) for item in files.items()]
        if "blobs" not in parse_qs(urlsplit(self.path).query):
            siblings = [{"rfilename": entry["rfilename"]} for entry in siblings]
        self.send_json({"id": model_id, "sha": commit, "siblings": siblings})

    def entry(self, path: str, blob: str, name: str, content: bytes) -> dict:
        size = len(content) - self.hub.faults.size.get(name, 0)
        entry = {path: name, blob: git_hash(content), "size": size}
        if len(content) > LARGE:
            sha, key = hashlib.sha256(content).hexdigest(), "oid" if path == "path" else "sha256"
            entry["lfs"] = {key: sha, "size": size, "pointerSize": 134}
        return entry

    def resolve(self, model_id: str, revision: str, name: str) -> None:
        if model_id in self.hub.faults.gated:
            return self.refuse(403 if "Authorization" in self.headers else 401, "GatedRepo")
        commit = self.commit_of(model_id, revision)
        content = self.hub.repositories[model_id].get(commit, {}).get(name)
        if content is None:
            return self.refuse(404, "EntryNotFound" if commit else "RevisionNotFound")
        if len(content) <= LARGE:
            return self.send_file(model_id, commit, name)
        place = self.headers["Host"].replace("127.0.0.1", "localhost")  # another host, as a CDN is
        where = f"http://{place}/cdn/{model_id}/{commit}/{name}"
        self.send(302, b"", {"Location": where, **self.facts(commit, content)})

    def facts(self, commit: str, content: bytes) -> dict[str, str]:
        large = len(content) > LARGE
        tag = hashlib.sha256(content).hexdigest() if large else git_hash(content)
        linked = {"X-Linked-ETag": f'"{tag}"', "X-Linked-Size": str(len(content))} if large else {}
        return {"X-Repo-Commit": commit, "ETag": f'"{tag}"', **linked}

    def send_file(self, model_id: str, commit: str, name: str) -> None:
        content = self.hub.repositories[model_id][commit][name]
        headers = {**self.facts(commit, content), "Accept-Ranges": "bytes"}
        if name in self.hub.faults.spoilt:
            content = bytes([content[0] ^ 1]) + content[1:]
        wanted = self.headers.get("Range")
        if not wanted or self.hub.faults.no_range:
            return self.send(200, content, headers, name)
        start = int(wanted.removeprefix("bytes=").partition("-")[0])
        if start >= len(content):
            return self.send(416, b"", {"Content-Range": f"bytes */{len(content)}"})
        headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self.send(206, content[start:], headers, name)

    def refuse(self, status: int, code: str = "") -> None:
        headers = {"X-Error-Code": code} if code else {}
        if status == 429 and self.hub.faults.retry_after is not None:
            headers["Retry-After"] = str(self.hub.faults.retry_after)
        self.send(status, b"{}", headers)

    def send_json(self, value: object) -> None:
        self.send(200, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def send(self, status: int, content: bytes, headers: dict[str, str], name: str = "") -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        cuts = self.hub.faults.cut.get(name, []) if status in (200, 206) else []
        part = content[: cuts.pop(0)] if cuts else content
        self.hub.sent[name] = self.hub.sent.get(name, 0) + len(part)  # before a client can look
        self.wfile.write(part)
        if len(part) < len(content):
            self.break_off()

    def break_off(self) -> None:
        self.close_connection = True
        if self.hub.faults.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that went away


@contextmanager
def serving() -> Iterator[Hub]:
    """A Hub that answers at `url` while the block lasts."""
    hub = Hub()
    server = Server(("127.0.0.1", 0), type("HubHandler", (Handler,), {"hub": hub}))
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
