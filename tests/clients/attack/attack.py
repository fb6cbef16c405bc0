#!/usr/bin/env python3
"""Attacks `recall serve` and asks it meanwhile: attack.py RECALL STORE.

The server must live, answer a good client with the right bytes throughout, keep its memory bounded, and give no data to
a request without the right host and token. Requests are made from a seed (RECALL_ATTACK_SEED), so that each failure can
be repeated.
"""
import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TOKEN = "0123456789abcdef0123456789abcdef"
IDLE_CONNECTIONS = 10_000
MOST_RSS_MIB = 400
SEED = int(os.environ.get("RECALL_ATTACK_SEED", "50"))
SECRET = b"walrus"  # a word of each document


class Server:
    def __init__(self, recall, store, directory):
        token = os.path.join(directory, "token")
        with open(token, "w") as file:
            file.write(TOKEN + "\n")
        os.chmod(token, 0o600)
        self.path = os.path.join(directory, "socket")
        self.process = subprocess.Popen(
            [recall, "serve", "--json", "--store", store, "--socket", self.path, "--http", "0", "--token-file", token],
            stdout=subprocess.PIPE)
        self.port = int(json.loads(self.process.stdout.readline())["serve"]["url"].rsplit(":", 1)[1])

    def local(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(30)
        client.connect(self.path)
        return client

    def tcp(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def rss_mib(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"RssAnon:\s+(\d+)", file.read())[1]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)


def request(path, body=b"", host="recall", headers=()):
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body


def read_response(client):
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return data
        data += more
    head, rest = data.split(b"\r\n\r\n", 1)
    length = re.search(rb"Content-Length: (\d+)", head)
    while length and len(rest) < int(length[1]):
        more = client.recv(65536)
        if not more:
            break
        rest += more
    return head + b"\r\n\r\n" + rest


def read_all(client, seconds=None):
    """Reads until the server closes the connection, or for that long: a stream of events does not end."""
    data = b""
    ends = time.monotonic() + (seconds or 1e9)
    try:
        while time.monotonic() < ends:
            if seconds:
                client.settimeout(max(ends - time.monotonic(), 0.001))
            more = client.recv(65536)
            if not more:
                break
            data += more
    except (ConnectionError, socket.timeout):
        pass
    return data


def send(client, data):
    """Sends what the server takes."""
    try:
        client.sendall(data)
        return True
    except (ConnectionError, socket.timeout):
        return False


class GoodClient(threading.Thread):
    """Asks the same again and again, each time over a new connection, and remembers each wrong answer."""

    BODY = b'{"query": "walrus", "k": 3, "snippet": 0}'

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.wrong, self.answers, self.slowest = server, [], 0, 0.0
        self.ended = threading.Event()
        self.right = self.ask()

    def ask(self):
        # It shares a process with the attackers, and so the limit of requests that wait.
        for _ in range(50):
            with self.server.local() as client:
                client.sendall(request("/v1/search", self.BODY))
                response = read_response(client)
            if not response.startswith(b"HTTP/1.1 429 "):
                break
            time.sleep(0.02)
        body = response.split(b"\r\n\r\n", 1)[-1]
        if not response.startswith(b"HTTP/1.1 200 "):
            return response
        return json.dumps(json.loads(body)["results"])

    def run(self):
        while not self.ended.is_set():
            start = time.monotonic()
            try:
                answer = self.ask()
            except OSError as error:
                answer = repr(error)
            self.slowest = max(self.slowest, time.monotonic() - start)
            self.answers += 1
            if answer != self.right:
                self.wrong.append(answer)
            time.sleep(0.02)


# ---- Attacks: each gets the server and a source of random numbers ------------------------------------------------------

HEADS = [b"POST /v1/search HTTP/1.1\r\nHost: recall\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
         b"GET /livez HTTP/1.1\r\nHost: recall\r\n\r\n",
         b"POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
         b"GET /v1/events HTTP/1.1\r\nConnection: close\r\n\r\n"]
PIECES = [b"\r\n", b"\n", b"\0", b":", b" ", b"Content-Length: 99999999999999999999\r\n", b"Content-Length: -1\r\n",
          b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Expect: 100-continue\r\n",
          b"HTTP/1.1", b"HTTP/0.9", b"\xff\xfe", b"%00", b"../" * 50, b"A" * 20_000, b"ffffffffffffffff\r\n",
          b"X-Recall-Deadline-Ms: 1\r\n", b"Host: evil.example\r\n", b"Upgrade: websocket\r\n", b"{" * 1000]


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            data[at:at] = rng.choice(PIECES)
        elif kind == 1:
            del data[at:at + rng.randrange(1, 20)]
        elif kind == 2 and at < len(data):
            data[at] = rng.randrange(256)
        else:
            data[at:at] = data[at:at + rng.randrange(1, 60)]
    return bytes(data)


def fuzzed_heads(server, rng):
    for _ in range(5000):
        with server.local() if rng.random() < 0.5 else server.tcp() as client:
            send(client, mutate(rng, rng.choice(HEADS)))
            try:
                client.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = read_all(client, seconds=2)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 "), answer[:200]


def random_json(rng, depth=0):
    kind = rng.randrange(7 if depth < 4 else 5)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([0, -1, 3, 10**30, 1.5, 2**63])
    if kind <= 3:
        return rng.choice(["", "x" * rng.randrange(200), "\0", "\u202e", "walrus", "doc.path = 'a", "-", "@/etc/passwd"])
    if kind == 4:
        return {}
    if kind == 5:
        return [random_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    names = ["query", "k", "filter", "target", "rql", "store", "jsonl", "config", "path", "jsonrpc", "id", "method",
             "params", "snapshot", "embedding", "cursor", "name", "arguments", "explain"]
    return {rng.choice(names): random_json(rng, depth + 1) for _ in range(rng.randrange(5))}


def fuzzed_bodies(server, rng):
    paths = ["/v1/" + name for name in ("search", "similar", "context", "query", "get", "ls", "stats", "add", "rm")]
    with server.local() as client:
        for i in range(1500):
            path = rng.choice([*paths, "/mcp"])
            body = random_json(rng)
            if path == "/mcp" and isinstance(body, dict):
                method = rng.choice(["initialize", "tools/call", "tools/list", "resources/read", "x", "ping"])
                body = {"jsonrpc": "2.0", "id": i, "method": method, "params": random_json(rng)} | body
            data = json.dumps(body).encode()
            if rng.random() < 0.2:
                data = mutate(rng, data)
            send(client, request(path, data))
            answer = read_response(client)
            status = int(answer[9:12])
            assert status < 500 or status == 503, (path, data, answer)


def foreign_requests(server, rng):
    """No answer to a request with a wrong host, origin or token may contain data."""
    own = f"127.0.0.1:{server.port}"
    right = f"Authorization: Bearer {TOKEN}"
    wrong = [("evil.example", [right]), (f"evil.example:{server.port}", [right]), (own + ".evil", [right]),
             ("localhost", [right]), (own, []), (own, ["Authorization: Bearer " + TOKEN[:-1]]),
             (own, ["Authorization: Basic " + TOKEN]), (own, [right, "Origin: http://evil.example"]),
             (own, [right, "Origin: null"]), (f"0.0.0.0:{server.port}", [right])]
    for host, headers in wrong * 5:
        with server.tcp() as client:
            path = rng.choice(["/v1/search", "/v1/ls", "/mcp", "/cli", "/v1/context"])
            send(client, request(path, b'{"query": "walrus"}', host, headers))
            answer = read_all(client)
            assert answer[9:12] in (b"401", b"403"), (host, headers, answer[:300])
            assert SECRET not in answer, answer
    with server.tcp() as client:
        send(client, request("/v1/search", b'{"query": "walrus"}', own, [right]))
        answer = read_response(client)
        assert answer.startswith(b"HTTP/1.1 200 ") and SECRET in answer, answer[:300]


def slow_clients(server, rng):
    """A byte at a time: each is answered, and delays nobody."""
    data = request("/v1/ls", b"{}")
    clients = [server.local() for _ in range(50)]
    for byte in data:
        for client in clients:
            client.sendall(bytes([byte]))
    for client in clients:
        assert read_response(client).startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 429 ")), "slow client"
        client.close()


def vanishing_clients(server, rng):
    for _ in range(300):
        client = server.local()
        data = request("/v1/search", b'{"query": "walrus", "k": 100}')
        if rng.random() < 0.5:
            send(client, data[:rng.randrange(len(data))])
        elif send(client, data) and rng.random() < 0.5:
            client.recv(1)
        client.close()


def half_heads(server, rng):
    clients = []
    for _ in range(500):
        clients.append(server.tcp())
        send(clients[-1], b"POST /v1/search HTTP/1.1\r\nHost: 127")
    for client in clients:
        client.close()


def large_bodies(server, rng):
    with server.local() as client:
        send(client, b"POST /v1/search HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n")
        # It is answered while the client sends, not reset.
        block = b"x" * 65536
        for _ in range(64):
            if not send(client, block):
                break
        assert read_response(client).startswith(b"HTTP/1.1 413 ")
    clients = []
    for _ in range(500):
        client = server.local()
        send(client, b"POST /v1/ls HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n" +
             b" " * 500_000 if rng.random() < 0.2 else
             b"POST /v1/ls HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        clients.append(client)
    for client in clients:
        client.close()


def many_members(server, rng):
    """Bodies just below the limit, whose parsing once took 20 s each. All of them are refused."""
    bodies = [b"{" + b",".join(b'"%d":1' % i for i in range(104_000)) + b"}",
              b'{"query":[' + b",".join([b"1"] * 500_000) + b"]}",
              b"[" * 1_000_000, b'{"a":' * 150_000, b'{"query":"' + b"\\u0041" * 170_000 + b'","x":1}']
    slowest = 0.0
    for body in bodies * 4:
        start = time.monotonic()
        with server.local() as client:
            send(client, request("/v1/search", body))
            response = read_response(client)
        assert response.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 429 ")), response[:200]
        slowest = max(slowest, time.monotonic() - start)
    assert slowest < 10, f"{slowest:.1f} s"
    return f"slowest {slowest * 1000:.0f} ms"


def greedy_client(server, rng):
    """One client with a hundred requests at a time is slowed down, and others are not."""
    clients = [server.tcp() for _ in range(100)]
    host = f"127.0.0.1:{server.port}"
    statuses = {}
    for _ in range(5):
        for client in clients:
            client.sendall(request("/v1/search", b'{"query": "walrus document", "k": 50}', host,
                                   [f"Authorization: Bearer {TOKEN}"]))
        for client in clients:
            status = read_response(client)[9:12].decode()
            statuses[status] = statuses.get(status, 0) + 1
    for client in clients:
        client.close()
    assert set(statuses) <= {"200", "429"}, statuses
    return str(statuses)


def idle_connections(server, rng):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(IDLE_CONNECTIONS, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    before = server.rss_mib()
    clients = []
    for i in range(count):
        clients.append(server.local() if i % 2 else server.tcp())
    time.sleep(1)
    after = server.rss_mib()
    for client in clients:
        client.close()
    return f"{count} connections: {before:.1f} -> {after:.1f} MiB"


ATTACKS = [fuzzed_heads, fuzzed_bodies, foreign_requests, slow_clients, vanishing_clients, half_heads, large_bodies,
           many_members, greedy_client, idle_connections]


def stop_under_load(server):
    """SIGTERM: each request is answered or its connection closed before anything of the answer, and the server ends."""
    torn, ended = [], threading.Event()

    def load():
        while not ended.is_set():
            try:
                with server.local() as client:
                    client.sendall(request("/v1/search", b'{"query": "walrus", "k": 20}'))
                    response = read_response(client)
            except OSError:
                continue
            if response and b"\r\n\r\n" not in response:
                torn.append(response)
            elif response.startswith(b"HTTP/1.1 200 ") and not response.endswith(b"\n"):
                torn.append(response[-100:])

    threads = [threading.Thread(target=load, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    code = server.stop()
    ended.set()
    for thread in threads:
        thread.join()
    assert code == 0, f"exit code {code}"
    assert not torn, torn[0]
    assert not os.path.exists(server.path), "the socket is still there"


def main():
    recall, store = sys.argv[1:3]
    only = sys.argv[3:]
    with tempfile.TemporaryDirectory() as directory:
        server = Server(recall, store, directory)
        good = GoodClient(server)
        assert isinstance(good.right, str) and SECRET.decode() in good.right, good.right
        good.start()
        most = 0.0
        for i, attack in enumerate(ATTACKS):
            if only and attack.__name__ not in only:
                continue
            start = time.monotonic()
            told = attack(server, random.Random(SEED + i)) or ""
            assert server.process.poll() is None, f"{attack.__name__}: the server has ended"
            most = max(most, server.rss_mib())
            print(f"{attack.__name__}: {time.monotonic() - start:.1f} s, {server.rss_mib():.0f} MiB {told}", flush=True)
        good.ended.set()
        good.join()
        assert not good.wrong, f"{len(good.wrong)} of {good.answers} answers are wrong, such as {good.wrong[0][:500]}"
        assert most < MOST_RSS_MIB, f"{most:.0f} MiB"
        print(f"good client: {good.answers} answers, the slowest after {good.slowest * 1000:.0f} ms")
        stop_under_load(server)
        print("stop_under_load: done")


main()
