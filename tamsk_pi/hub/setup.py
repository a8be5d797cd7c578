"""`tamsk-pi hub init`: a folder with everything that an event's broker, hub and boards need to know each other.

| file | for |
|---|---|
| `mosquitto.conf`, `passwords`, `access` | the broker: who may enter, and which topics each may write |
| `hub.toml`, `hub.password` | the hub |
| `boards/N/club.toml`, `boards/N/password`, `boards/N/ca.pem` | board N: its configuration, to be carried there |
| `ca.pem`, `ca.key`, `broker.pem`, `broker.key` | with TLS: an authority of one's own, and the broker's certificate |
"""

from __future__ import annotations

import base64
import datetime
import getpass
import hashlib
import ipaddress
import os
import secrets
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from tamsk_pi.club.topics import HIGHEST_BOARD, ROOT, Place, is_event, own_topics
from tamsk_pi.hub.broker import BrokerSettings

ITERATIONS: Final = 101
"""Of the passwords' hash: what `mosquitto_passwd` takes. They are random, so that none can be guessed anyhow."""
CERTIFICATE_DAYS: Final = 3_650
HUB_USER: Final = "hub"
CONFIG: Final = "hub.toml"
CONFIG_KEYS: Final = ("database", "broker", "port", "user", "password_file", "ca_file", "page_host", "page_port")


class SetupError(Exception):
    """It cannot be set up; one line that says why."""


@attrs.frozen(kw_only=True)
class SetupPlan:
    """What to set up. `host`: how the boards reach the broker. `listen`: the address of this machine it listens on."""

    folder: Path
    event: str
    boards: int
    host: str = "127.0.0.1"
    listen: str = "127.0.0.1"
    port: int = 1883
    tls: bool = False
    database: str = ""


@attrs.frozen(kw_only=True)
class HubConfig:
    """The hub's own configuration."""

    database: str
    broker: BrokerSettings
    page_host: str = "127.0.0.1"
    page_port: int = 8038


def set_up(plan: SetupPlan) -> None:
    """Write the folder. `SetupError`: something is there already, or cannot be written."""
    if not is_event(plan.event):
        raise SetupError(f"{plan.event!r} is no name for an event: small letters, digits and hyphens, 1 to 40")
    if not 1 <= plan.boards <= HIGHEST_BOARD:
        raise SetupError(f"boards is {plan.boards}; allowed: 1 to {HIGHEST_BOARD}")
    if any('"' in text or not text.isprintable() or " " in text for text in (plan.host, plan.listen)):
        raise SetupError("a host is a name or an address")
    folder = plan.folder.absolute()
    if (folder / CONFIG).exists():
        raise SetupError(f"{folder / CONFIG} is there already; choose another folder or take it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        _write_all(plan, folder)
    except OSError as error:
        raise SetupError(f"{error.filename or folder}: {error.strerror or error}") from None


def _write_all(plan: SetupPlan, folder: Path) -> None:
    users = [HUB_USER, *(board_user(plan.event, board) for board in range(1, plan.boards + 1))]
    passwords = {user: secrets.token_urlsafe(18) for user in users}
    if plan.tls:
        _make_certificates(folder, plan.host)
    _write(folder / "passwords", "".join(f"{user}:{hashed(passwords[user])}\n" for user in users), secret=True)
    _write(folder / "access", access_list(plan.event, plan.boards), secret=True)
    _write(folder / "mosquitto.conf", broker_config(plan, folder))
    _write(folder / "hub.password", passwords[HUB_USER] + "\n", secret=True)
    database = plan.database or f"sqlite:///{folder / 'hub.sqlite'}"
    ca_file = str(folder / "ca.pem") if plan.tls else ""
    hub_host = plan.host if plan.tls else plan.listen if plan.listen not in ("0.0.0.0", "::") else "127.0.0.1"
    hub: dict[str, str | int] = {
        "database": database,
        "broker": hub_host,
        "port": plan.port,
        "user": HUB_USER,
        "password_file": str(folder / "hub.password"),
        "ca_file": ca_file,
        "page_host": "127.0.0.1",
        "page_port": 8038,
    }
    for board in range(1, plan.boards + 1):
        own = folder / "boards" / str(board)
        own.mkdir(parents=True, exist_ok=True)
        user = board_user(plan.event, board)
        _write(own / "password", passwords[user] + "\n", secret=True)
        if plan.tls:
            _write(own / "ca.pem", (folder / "ca.pem").read_text("ascii"))
        _write(own / "club.toml", _board_config(plan, board, user))
    # Last: while it is missing, a run that failed half way can be begun again.
    _write(folder / CONFIG, "".join(f"{key} = {_toml(value)}\n" for key, value in hub.items()))


def board_user(event: str, board: int) -> str:
    """The name of a board's user at the broker."""
    return f"{event}.{board}"


def _board_config(plan: SetupPlan, board: int, user: str) -> str:
    club: dict[str, str | int] = {
        "event": plan.event,
        "board": board,
        "broker": plan.host,
        "port": plan.port,
        "user": user,
        "password_file": "/etc/tamsk-pi/club/password",
        "ca_file": "/etc/tamsk-pi/club/ca.pem" if plan.tls else "",
    }
    head = "# Put this into the board's /etc/tamsk-pi/config.toml, and the files beside it into /etc/tamsk-pi/club/.\n"
    return head + "[club]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in club.items())


def _toml(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def hashed(password: str, salt: bytes | None = None) -> str:
    """A password as Mosquitto keeps it."""
    salt = secrets.token_bytes(12) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS, 64)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def access_list(event: str, boards: int) -> str:
    """Mosquitto's access list: each board its own topics, the hub all of ours."""
    lines = ["# Made by tamsk-pi hub init.", f"user {HUB_USER}", f"topic readwrite {ROOT}/#"]
    for board in range(1, boards + 1):
        lines += ["", f"user {board_user(event, board)}"]
        lines += [f"topic {right} {topic}" for right, topic in own_topics(Place(event, board))]
    return "\n".join(lines) + "\n"


def broker_config(plan: SetupPlan, folder: Path) -> str:
    """Mosquitto's configuration."""
    lines = [
        "# Made by tamsk-pi hub init; start with: mosquitto -c mosquitto.conf",
        f"user {getpass.getuser()}",
        f"listener {plan.port} {plan.listen}",
        "allow_anonymous false",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'access'}",
        "# Boards send again what the hub has not acknowledged, so little is queued here.",
        "message_size_limit 131072",
        "max_queued_messages 20000",
        "max_inflight_messages 1000",
        "persistence true",
        f"persistence_location {folder}/",
        "log_type error",
        "log_type warning",
        "log_type notice",
        "log_dest stderr",
    ]
    if plan.tls:
        lines += [
            f"certfile {folder / 'broker.pem'}",
            f"keyfile {folder / 'broker.key'}",
            "tls_version tlsv1.2",
        ]
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str, *, secret: bool = False) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600 if secret else 0o644)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)


def _make_certificates(folder: Path, host: str) -> None:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
    except ImportError:
        raise SetupError("--tls needs the extra club: pip install 'tamsk-pi[club]'") from None

    now = datetime.datetime.now(datetime.UTC)
    start, end = now - datetime.timedelta(days=1), now + datetime.timedelta(days=CERTIFICATE_DAYS)

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def key_text(key: ec.EllipticCurvePrivateKey) -> str:
        return key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()

    authority_key, broker_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority_name = name("tamsk-pi club")
    authority = (
        x509.CertificateBuilder()
        .subject_name(authority_name)
        .issuer_name(authority_name)
        .public_key(authority_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=False,
                content_commitment=False,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=True,
                crl_sign=True,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    try:
        names.append(x509.IPAddress(ipaddress.ip_address(host)))
    except ValueError:
        names.append(x509.DNSName(host))
    broker = (
        x509.CertificateBuilder()
        .subject_name(name(host[:64]))
        .issuer_name(authority_name)
        .public_key(broker_key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    _write(folder / "ca.pem", authority.public_bytes(pem).decode())
    _write(folder / "ca.key", key_text(authority_key), secret=True)
    _write(folder / "broker.pem", broker.public_bytes(pem).decode())
    _write(folder / "broker.key", key_text(broker_key), secret=True)


def read_config(folder: Path) -> HubConfig:
    """The hub's configuration of a folder that `set_up` wrote. `SetupError` tells everything that is wrong at once."""
    path = folder / CONFIG
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SetupError(f"{path} is not there; tamsk-pi hub init makes it") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"{path}: {error}") from None
    problems = [f"unknown key {key}" for key in raw if key not in CONFIG_KEYS]
    problems += [f"{key} is missing" for key in ("database",) if key not in raw]
    for key in raw.keys() & set(CONFIG_KEYS):
        wanted: type = int if key in ("port", "page_port") else str
        if type(raw[key]) is not wanted:
            problems.append(f"{key} must be {'a whole number' if wanted is int else 'a text'}")
        elif wanted is int and not 0 <= raw[key] <= 65_535:
            problems.append(f"{key} is {raw[key]}; allowed: 0 to 65535")
    if problems:
        raise SetupError(f"{path}: {'; '.join(problems)}; known keys: {', '.join(CONFIG_KEYS)}")
    broker = BrokerSettings(
        host=raw.get("broker", "127.0.0.1"),
        port=raw.get("port", 1883),
        user=raw.get("user", ""),
        password_file=raw.get("password_file", ""),
        ca_file=raw.get("ca_file", ""),
    )
    pages = {key: raw[key] for key in ("page_host", "page_port") if key in raw}
    return HubConfig(database=raw["database"], broker=broker, **pages)


def boards_of(folder: Path) -> Sequence[Path]:
    """The folders of the boards, by number."""
    return sorted((folder / "boards").glob("*"), key=lambda path: int(path.name))
