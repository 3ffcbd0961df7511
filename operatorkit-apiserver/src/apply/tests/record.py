#!/usr/bin/env python3
"""Asks a real server for the cases that the tests replay: record.py URL TOKEN OPENAPI_DIR.

Writes openapi.json (the schemas of the built-in kinds used), crd.json and cases.json beside itself.
"""
import json, os, ssl, sys, time, urllib.request, urllib.error, datetime, re

URL, TOKEN, OPENAPI = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
NS = "operatorkit-apply"
CTX = ssl._create_unverified_context()
GROUP = "apply.operatorkit.test"


def call(method, path, body=None, kind="application/json"):
    data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    request = urllib.request.Request(URL + path, data=data, method=method)
    request.add_header("Authorization", "Bearer " + TOKEN)
    request.add_header("Content-Type", kind)
    request.add_header("User-Agent", "recorder/1")
    try:
        with urllib.request.urlopen(request, context=CTX) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text.startswith(b"{") else text.decode()


RESOURCES = {
    "Deployment": ("apps/v1", "deployments"),
    "ConfigMap": ("v1", "configmaps"),
    "Pod": ("v1", "pods"),
    "Service": ("v1", "services"),
    "Thing": (GROUP + "/v1", "things"),
}


def base(kind, version=None):
    api, plural = RESOURCES[kind]
    api = version or api
    root = "/api/v1" if api == "v1" else "/apis/" + api
    return f"{root}/namespaces/{NS}/{plural}"


def shorten(steps):
    """An object that stands as the last answer left it is not written twice."""
    last = None
    for step in steps:
        if step["live"] == last and last is not None:
            step["live"] = "last"
        if step["code"] < 300 and step["verb"] != "scale":
            last = step["answer"]
    return steps


def shift(value, start):
    """Times become seconds after the start of the case."""
    if isinstance(value, dict):
        out = {}
        for key, it in value.items():
            if key == "time" and isinstance(it, str):
                at = datetime.datetime.fromisoformat(it.replace("Z", "+00:00")).timestamp()
                it = datetime.datetime.fromtimestamp(1767225600 + at - start, datetime.timezone.utc)
                it = it.strftime("%Y-%m-%dT%H:%M:%SZ")
            out[key] = shift(it, start)
        return out
    if isinstance(value, list):
        return [shift(it, start) for it in value]
    return value


CASES = []


class Case:
    def __init__(self, name, kind, meta=None):
        self.name, self.kind, self.steps = name, kind, []
        self.object = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:50]
        self.start = int(time.time()) - 1
        CASES.append(self)

    def path(self, subresource="", version=None):
        return base(self.kind, version) + "/" + self.object + ("/" + subresource if subresource else "")

    def live(self, version=None):
        code, live = call("GET", self.path(version=version))
        while self.kind == "Deployment":
            # Controllers write, too.
            time.sleep(0.25)
            before = live
            code, live = call("GET", self.path(version=version))
            if live.get("metadata", {}).get("resourceVersion") == before.get("metadata", {}).get("resourceVersion"):
                break
        return live if code == 200 else None

    def full(self, body, version=None):
        body = json.loads(json.dumps(body))
        body.setdefault("apiVersion", version or RESOURCES[self.kind][0])
        body.setdefault("kind", self.kind)
        body.setdefault("metadata", {}).setdefault("name", self.object)
        body["metadata"].setdefault("namespace", NS)
        return body

    def step(self, verb, manager, body, force=False, subresource="", version=None, kind=None, pause=0, entries=None):
        if pause:
            time.sleep(pause)
        live = self.live(version)
        query = "?fieldManager=" + manager + ("&force=true" if force else "")
        if verb == "apply":
            body = self.full(body, version)
            code, answer = call("PATCH", self.path(subresource, version) + query, body, "application/apply-patch+yaml")
        elif verb == "scale":
            body = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": self.object, "namespace": NS}, "spec": body}
            subresource, before = "scale", call("GET", self.path("scale"))[1]
            code, answer = call("PUT", self.path("scale") + query, body)
            entries = {"before": before, "after": self.live()}
        elif verb == "create":
            body = self.full(body, version)
            code, answer = call("POST", base(self.kind, version) + query, body)
        elif verb == "update":
            body = self.full(body, version)
            code, answer = call("PUT", self.path(subresource, version) + query, body)
        else:
            kinds = {"merge": "application/merge-patch+json", "json": "application/json-patch+json",
                     "strategic": "application/strategic-merge-patch+json"}
            code, answer = call("PATCH", self.path(subresource, version) + query, body, kinds[verb])
        self.steps.append({"verb": verb, "manager": manager, "force": force, "subresource": subresource,
                           "apiVersion": version or RESOURCES[self.kind][0], "body": body, "live": live, "code": code,
                           "answer": answer, "entries": entries})
        if code >= 500 or os.environ.get("SHOW"):
            print(self.name, "|", verb, manager, code, answer.get("message", "ok"))
        return answer

    def apply(self, manager, body, **options):
        return self.step("apply", manager, body, **options)


def deployment(replicas=None, containers=None, labels=None, **spec):
    spec = dict({"selector": {"matchLabels": {"a": "b"}},
                 "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": containers if containers is not None else [{"name": "c", "image": "i"}]}}}, **spec)
    if replicas is not None:
        spec["replicas"] = replicas
    body = {"spec": spec}
    if labels is not None:
        body["metadata"] = {"labels": labels}
    return body


def thing(**spec):
    return {"spec": spec}


from scenarios import run  # noqa: E402

STRING, INT = {"type": "string"}, {"type": "integer"}
SPEC = {"type": "object", "properties": {
    "replicas": INT, "name": STRING, "flag": {"type": "boolean"}, "number": {"type": "number"},
    "maybe": {"type": "string", "nullable": True}, "when": {"type": "string", "format": "date-time"},
    "labels": {"type": "object", "additionalProperties": STRING},
    "atoms": {"type": "object", "additionalProperties": STRING, "x-kubernetes-map-type": "atomic"},
    "point": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"x": INT, "y": INT}},
    "place": {"type": "object", "properties": {"x": INT, "y": INT, "deep": {"type": "object", "properties": {"z": INT}}}},
    "set": {"type": "array", "x-kubernetes-list-type": "set", "items": STRING},
    "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": INT},
    "list": {"type": "array", "items": STRING},
    "items": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {
        "type": "object", "required": ["name"], "properties": {"name": STRING, "value": STRING, "other": INT, "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": STRING}}}},
    "ports": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"], "items": {
        "type": "object", "required": ["port", "protocol"], "properties": {"port": INT, "protocol": {"type": "string", "default": "TCP"}, "name": STRING}}},
    "any": {"x-kubernetes-preserve-unknown-fields": True},
    "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": {"type": "object", "properties": {"a": INT}}}},
    "mixed": {"x-kubernetes-int-or-string": True},
    "maps": {"type": "object", "additionalProperties": {"type": "object", "properties": {"a": INT, "b": INT}}},
    "embedded": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
    "filled": {"type": "object", "default": {}, "properties": {"size": {"type": "integer", "default": 3}}},
}}
STATUS = {"type": "object", "properties": {"phase": STRING, "replicas": INT, "conditions": {
    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
    "items": {"type": "object", "required": ["type"], "properties": {"type": STRING, "status": STRING}}}}}
SCHEMA = {"openAPIV3Schema": {"type": "object", "properties": {"spec": SPEC, "status": STATUS}}}
SUBRESOURCES = {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}}
CRD = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "things." + GROUP},
       "spec": {"group": GROUP, "scope": "Namespaced", "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": SCHEMA, "subresources": SUBRESOURCES},
                             {"name": "v2", "served": True, "storage": False, "schema": SCHEMA, "subresources": SUBRESOURCES}]}}


def bare(value):
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k != "description" or not isinstance(v, str)}
    return [bare(it) for it in value] if isinstance(value, list) else value


def schemas():
    every = {}
    for name in ("api_v1.json", "apis_apps_v1.json", "apis_autoscaling_v1.json"):
        every.update(json.load(open(os.path.join(OPENAPI, name)))["components"]["schemas"])
    wanted, queue = {}, ["io.k8s.api.apps.v1.Deployment", "io.k8s.api.autoscaling.v1.Scale"] + ["io.k8s.api.core.v1." + it for it in ("ConfigMap", "Pod", "Service")]
    while queue:
        name = queue.pop()
        if name not in wanted:
            wanted[name] = bare(every[name])
            queue += re.findall(r'#/components/schemas/([^"]+)"', json.dumps(wanted[name]))
    return wanted


call("DELETE", "/api/v1/namespaces/" + NS)
call("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things." + GROUP)
while call("GET", "/api/v1/namespaces/" + NS)[0] != 404 or call("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things." + GROUP)[0] != 404:
    time.sleep(0.2)
call("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NS}})
code, answer = call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD)
assert code == 201, answer
while call("GET", base("Thing"))[0] != 200 or call("GET", base("Thing", GROUP + "/v2"))[0] != 200:
    time.sleep(0.2)
call("POST", f"/api/v1/namespaces/{NS}/serviceaccounts", {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
time.sleep(2)
run(Case, deployment, thing, call, NS)
call("DELETE", "/api/v1/namespaces/" + NS)
call("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things." + GROUP)
for name, content in (("openapi.json", schemas()), ("crd.json", CRD["spec"]["versions"][0]["schema"]["openAPIV3Schema"]),
                      ("cases.json", [{"name": it.name, "kind": it.kind, "steps": shorten([shift(step, it.start) for step in it.steps])} for it in CASES])):
    with open(os.path.join(HERE, name), "w") as file:
        lines = [json.dumps(it, sort_keys=True, separators=(",", ":")) for it in content] if name == "cases.json" else None
        file.write("[\n" + ",\n".join(lines) + "\n]\n" if lines else json.dumps(content, sort_keys=True, separators=(",", ":")) + "\n")
print(len(CASES), "cases,", sum(len(it.steps) for it in CASES), "steps")
