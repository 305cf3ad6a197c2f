"""Two files describe one subject.

## Why
Which of them holds the answer would depend on the order of folders.

## Bad
```yaml
# claims/acme/heron-1.yaml
subject: {name: Heron-1 again, kind: model}
claims: {}
```

## Good
```yaml
# claims/acme/heron-2.yaml
subject: {name: Heron-2, kind: model}
claims: {}
```
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM411"
SCOPE = Scope.LOAD
