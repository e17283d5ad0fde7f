# rule: none
import collections

Grad = collections.namedtuple("Grad", "slope angle")


def grad(road):
    return [Grad(b - a, None) for a, b in zip(road, road[1:])]


def freeze(water, at=0.0):
    return [min(w, at) for w in water]


class vmap(dict):
    """Variable map."""

    def with_refs(self, *refs):
        return vmap(self, refs=refs)


def new_ref(book, page):
    return f"{book}, p. {page}"


bibliography = vmap(a=new_ref("Nocedal", 12)).with_refs(None, 1.0).with_refs("again")
print(bibliography["refs"], grad([0.0, 0.1, 0.3]), freeze([3.0, -1.0]))
