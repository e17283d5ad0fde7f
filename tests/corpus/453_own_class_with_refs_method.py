# rule: none
class Bibliography:
    """Nothing to do with JAX: collects citations."""

    def __init__(self, *entries):
        self.entries = list(entries)
        self.refs = ()

    def with_refs(self, *refs, **named):
        out = Bibliography(*self.entries)
        out.refs = refs + tuple(named.values())
        return out

    def freeze(self):
        return tuple(self.entries), self.refs

    def __call__(self, seed):
        return [f"{seed}:{r}" for r in self.refs]


bib = Bibliography("knuth", "dijkstra")
twice = bib.with_refs("a").with_refs(None, extra="b")
twice.with_refs("c")
assert twice(1.0) == twice(1.0)
frozen = twice.freeze()
print(frozen, twice.freeze() == frozen)
