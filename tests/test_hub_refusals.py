"""What a Hub or the way to it refuses, told in words that say what to do."""

import hub_fixtures
import pytest
from hub_fixtures import repository
from test_hub import bring

from agentloop_widgets.backends import BackendError
from agentloop_widgets.trace.strings import LANGUAGES, language

ends, hub, folder = hub_fixtures.ends, hub_fixtures.hub, hub_fixtures.folder


def test_a_wrong_id_is_told_with_what_is_near(hub, folder):
    with pytest.raises(
        BackendError, match=r"no model qwen/qwen3\.5-0\.8.*Did you mean Qwen/Qwen3\.5-0\.8B"
    ):
        bring("qwen/qwen3.5-0.8", folder)
    with pytest.raises(BackendError, match=r"no model x/yzzy.*huggingface\.co/models"):
        bring("x/yzzy", folder)
    assert not folder.exists()


@pytest.mark.parametrize(
    "model_id",
    [
        "Qwen3.5-0.8B",
        "a/b/c",
        "./a",
        "/models/a",
        "a/../b",
        "a b/c",
        "",
        "a/b.git",
        "模型/a",
        "~nobody-here/a",
        "a/" + "b" * 5000,
    ],
)
def test_what_cannot_be_an_id_is_refused_without_asking(
    hub, folder, model_id, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BackendError, match="no model id"):
        bring(model_id, folder)
    assert hub.requests == []


@pytest.mark.parametrize(
    "text", ["https://huggingface.co/A/model/tree/main", " A/model ", "A/model/"]
)
def test_an_id_pasted_with_more_is_offered(hub, folder, text):
    with pytest.raises(BackendError, match=r"Did you mean A/model\?"):
        bring(text, folder)


def test_a_gated_model_says_how_to_get_it(hub, folder, monkeypatch):
    hub.add("A/gated", repository())
    hub.faults.gated = {"A/gated"}
    with pytest.raises(BackendError, match=r"huggingface\.co/A/gated.*log in here"):
        bring("A/gated", folder)
    monkeypatch.setattr("huggingface_hub.get_token", lambda: "hf_x")
    with pytest.raises(BackendError, match="account you are logged in with has no access"):
        bring("A/gated", folder)


def test_a_missing_revision_is_named(hub, folder):
    hub.add("A/model", repository())
    with pytest.raises(BackendError, match=r'no revision v9 .*revision="main"'):
        bring("A/model", folder, "v9")
    with pytest.raises(BackendError, match="no revision " + "1" * 40):
        bring("A/model", folder, "1" * 40)


@pytest.mark.parametrize(
    "status, word",
    [
        (401, "access token"),
        (403, "account or token"),
        (404, "no model A/model"),
        (418, "status 418"),
    ],
)
def test_a_refusal_is_told(hub, folder, status, word):
    hub.add("A/model", repository())
    hub.faults.status = {"api": [status]}
    with pytest.raises(BackendError, match=word):
        bring("A/model", folder)


@pytest.mark.parametrize("key", ["api", "config.json", "model.safetensors"])
def test_a_fault_that_passes_is_waited_for(hub, folder, key):
    hub.add("A/model", repository())
    hub.faults.status = {key: [503, 429] if key != "config.json" else [500]}
    assert bring("A/model", folder).revision


@pytest.mark.parametrize("status, word", [(500, "fault of its own"), (429, "no more requests")])
def test_a_fault_that_stays_is_told(hub, folder, status, word):
    hub.add("A/model", repository())
    hub.faults.status = {"api": [status] * 20}
    with pytest.raises(BackendError, match=word):
        bring("A/model", folder)
    hub.faults.status = {"model.safetensors": [status] * 20}
    with pytest.raises(BackendError, match=rf"missing: model\.safetensors\. .*{word}"):
        bring("A/model", folder)


def test_a_limit_for_long_is_told_at_once(hub, folder):
    hub.add("A/model", repository())
    hub.faults.status, hub.faults.retry_after = {"api": [429] * 20}, 300
    with pytest.raises(BackendError, match="300 s"):
        bring("A/model", folder)
    assert len(hub.asked("/api/")) == 1


def test_a_network_that_wants_a_sign_in_is_told(hub, folder):
    hub.add("A/model", repository())
    hub.faults.page = True
    with pytest.raises(BackendError, match="sign in"):
        bring("A/model", folder)


def test_no_network_is_told(hub, folder, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(BackendError, match="check the network"):
        bring("A/model", folder)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(BackendError, match="HF_HUB_OFFLINE"):
        bring("A/model", folder)


def test_a_certificate_that_is_refused_is_told(hub, folder, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", hub.url.replace("http:", "https:"))
    with pytest.raises(BackendError, match="certificate"):
        bring("A/model", folder)


def test_a_proxy_that_refuses_is_told(hub, folder, monkeypatch):
    from huggingface_hub.utils import close_session

    monkeypatch.setenv("HTTPS_PROXY", hub.url)
    monkeypatch.setenv("HF_ENDPOINT", "https://hub.invalid")
    close_session()
    try:
        with pytest.raises(BackendError, match="HTTPS_PROXY"):
            bring("A/model", folder)
    finally:
        close_session()


def test_a_token_goes_to_the_hub_and_to_no_one_else(hub, folder, monkeypatch):
    hub.add("A/model", repository())
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    bring("A/model", folder)
    sent = {host.partition(":")[0]: token for host, token in hub.tokens}
    assert sent == {"127.0.0.1": "Bearer hf_secret", "localhost": ""}


@pytest.mark.parametrize("tongue", LANGUAGES)
def test_a_failure_is_told_in_the_language(hub, folder, tongue):
    hub.add("A/gated", repository())
    hub.faults.gated = {"A/gated"}
    with language(tongue), pytest.raises(BackendError) as raised:
        bring("A/gated", folder)
    assert ("條款" in str(raised.value)) == (tongue == "zh-TW")
