//! Tokens, CAs and certificates that change while the operator runs (S-19).

use operatorkit::serde_json::{self, Value};
use operatorkit_testing::audit::{Mark, Requests};

use super::*;

impl Place {
    /// What a user has asked since a mark.
    async fn asked(&self, since: Mark, user: &str) -> Requests {
        self.scene.cluster.audit().since(since).await.by_user(user)
    }

    /// Has an object say things until a user's credentials are those that are used.
    async fn until_used(&self, name: &str, since: Mark, user: &str) {
        let mut said = 0;
        wait_for(&format!("the credentials of {user} are used"), PATIENCE, async || {
            said += 1;
            self.say(name, &format!("{user} {said}")).await;
            let asked = self.asked(since, user).await.writes();
            ensure!(!asked.is_empty(), "they are not");
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_token_that_is_replaced_in_time_is_used_and_the_watches_go_on() {
    let place = Place::new("token").await;
    place.accept("first-token", "first");
    place.accept("second-token", "second");
    place.write("token", "first-token\n");
    let running = place.start(&place.config().token_file(place.path("token"))).await;
    place.create("x").await;

    let mark = place.scene.mark().await;
    place.write("token", "second-token\n");
    place.until_used("x", mark, "second").await;
    // All that was seen was seen by the watches of the first token.
    for user in ["first", "second"] {
        let asked = place.asked(mark, user).await;
        let again = asked.filter(|it| it.verb == "list" || it.verb == "watch");
        assert!(again.is_empty(), "{again}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_token_that_is_refused_before_it_is_replaced_is_no_end() {
    let place = Place::new("revoked").await;
    let logs = Logs::capture();
    place.accept("first-token", "first");
    place.write("token", "first-token\n");
    let running = place.start(&place.config().token_file(place.path("token"))).await;
    place.create("x").await;

    let mark = place.scene.mark().await;
    place.revoke("first-token");
    place.change("x", "second").await;
    let _line = logs
        .wait_for(&["check the credentials of the operator"], PATIENCE)
        .await;
    place.accept("second-token", "second");
    place.write("token", "second-token\n");
    place.echoed("x", "second").await;
    assert!(!place.asked(mark, "second").await.writes().is_empty());
    place.say("x", "third").await;
    running.stop().await;
    let text = logs.text();
    assert!(text.contains("new credentials or certificates"), "it is said");
    assert!(
        !text.contains("first-token") && !text.contains("second-token"),
        "a secret is in the logs"
    );
}

#[tokio::test]
async fn the_ca_and_the_clients_certificate_may_all_be_new() {
    let mut place = Place::new("certificates").await;
    let logs = Logs::capture();
    place.certify("first");
    let config = place
        .config()
        .client_certificate_file(place.path("client.crt"))
        .client_key_file(place.path("client.key"));
    let running = place.start(&config).await;
    place.create("x").await;

    // A certificate of another user, and the same CA.
    let mark = place.scene.mark().await;
    place.certify("second");
    place.until_used("x", mark, "second").await;

    // Everything new; and the certificate is there before its key, as happens.
    let mark = place.scene.mark().await;
    place.serve().await;
    place.change("x", "changed").await;
    let pair = place.identity().client(&admin("third")).expect("a certificate");
    place.write("client.crt", &pair.certificate);
    let refused = logs.wait_for(&["WARN", "the old ones stay in use"], PATIENCE).await;
    place.write("client.key", &pair.key);
    place.echoed("x", "changed").await;
    assert!(!place.asked(mark, "third").await.writes().is_empty());
    running.stop().await;
    let text = logs.text();
    assert_eq!(
        text.matches("the old ones stay in use").count(),
        1,
        "it is said once: {refused}"
    );
    let body = pair.key.lines().nth(1).expect("a key");
    assert!(
        !text.contains(body) && !text.contains("PRIVATE KEY"),
        "a secret is in the logs"
    );
}

#[tokio::test]
async fn a_new_ca_alone_needs_no_new_token() {
    let mut place = Place::new("ca").await;
    place.accept("a-token", "only");
    let running = place.start(&place.config().token("a-token")).await;
    place.create("x").await;
    let mark = place.scene.mark().await;
    place.serve().await;
    place.say("x", "under a new CA").await;
    // The watches broke with the old server, and are back.
    let watches = place.asked(mark, "only").await.verb("watch");
    assert!(!watches.is_empty());
    running.stop().await;
}

fn kubeconfig(servers: [&str; 2], ca: &Path, current: &str, token: &str) -> Value {
    let cluster = |name, server| json!({ "name": name, "cluster": { "server": server, "certificate-authority": ca } });
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": current,
        "clusters": [cluster("one", servers[0]), cluster("two", servers[1])],
        "users": [{ "name": "me", "user": { "token": token } }],
        "contexts": [
            { "name": "one", "context": { "cluster": "one", "user": "me" } },
            { "name": "two", "context": { "cluster": "two", "user": "me" } },
        ],
    })
}

#[tokio::test]
async fn a_kubeconfig_is_read_again_and_does_not_lead_to_another_cluster() {
    let place = Place::new("kubeconfig").await;
    let logs = Logs::capture();
    place.accept("first-token", "first");
    place.accept("second-token", "second");
    place.accept("third-token", "third");
    let (url, ca) = (place.url(), place.path("ca.crt"));
    let other = "https://127.0.0.1:1";
    let write = |servers, current, token| place.write("config", &kubeconfig(servers, &ca, current, token).to_string());
    write([&url, other], "one", "first-token");
    let running = place.start(&ClientConfig::new().kubeconfig(place.path("config"))).await;
    place.create("x").await;

    // `kubectl config use-context` in the same file is meant for a person.
    let mark = place.scene.mark().await;
    write([&url, other], "two", "second-token");
    place.until_used("x", mark, "second").await;

    let mark = place.scene.mark().await;
    write([other, other], "one", "third-token");
    let speaking = async {
        for n in 0.. {
            place.say("x", &format!("still here {n}")).await;
        }
    };
    let line = tokio::select! {
        () = speaking => unreachable!("it goes on"),
        line = logs.wait_for(&["WARN", "the API server's address changed"], PATIENCE) => line,
    };
    assert!(line.contains("only a restart follows"), "{line}");
    place.say("x", "last").await;
    assert!(place.asked(mark, "third").await.is_empty());
    running.stop().await;
}

/// A token without an end, which only an answer 401 proves to be old; and one that a plugin writes is no secret less.
#[tokio::test]
async fn a_credential_plugin_is_run_again_after_a_401() {
    let place = Place::new("plugin").await;
    let logs = Logs::capture();
    let give = |token: &str| {
        let credential = json!({
            "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": { "token": token },
        });
        place.write("credential", &credential.to_string());
    };
    place.accept("first-token", "first");
    give("first-token");
    let mut config = kubeconfig([&place.url(), ""], &place.path("ca.crt"), "one", "");
    config["users"][0]["user"] = json!({ "exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never",
        "command": "cat", "args": [place.path("credential")],
    } });
    place.write("config", &serde_json::to_string(&config).expect("JSON"));
    let running = place.start(&ClientConfig::new().kubeconfig(place.path("config"))).await;
    place.create("x").await;

    place.revoke("first-token");
    place.accept("second-token", "second");
    give("second-token");
    place.say("x", "with the second").await;
    running.stop().await;
    let text = logs.text();
    assert!(
        !text.contains("first-token") && !text.contains("second-token"),
        "a secret is in the logs"
    );
}
