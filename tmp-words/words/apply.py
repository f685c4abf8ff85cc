"""Writes the sentences into the locales of a worktree, by key: idempotent, so it also resolves a merge (take one side, run this).
usage: apply.py WORKTREE [tag…]"""
import json, re, subprocess, sys
sys.path.insert(0, '/tmp/words')
import langs1, langs2, ende
root = sys.argv[1]; dir_ = root + '/packages/widget/src/locales/'
P = 'problems.'
RELOAD = [P + k for k in ('invalid-request', 'method-not-allowed', 'unsupported-media-type')]
NA = [P + k for k in ('cross-site-request', 'forum-not-allowed', 'not-found')]
ORDER = ['comments.status.declined', 'comments.status.windowClosed', 'comments.alert.rejected', 'comments.alert.already-granted',
 'comments.panel.continueHere', 'comments.panel.continueInTab', 'comments.panel.stay', RELOAD, P + 'untrusted-completion-uri',
 P + 'untrusted-return-uri', NA, P + 'user-mismatch', P + 'not-acceptable', P + 'post-rejected', P + 'invalid-answers', P + 'service-refused',
 P + 'bad-service-response', P + 'service-unavailable', P + 'outcome-unknown', P + 'network', P + 'firewall',
 'sync.answerErrors.summary', 'sync.answerErrors.requiredTick', 'sync.answerErrors.pattern', 'sync.endings.declined.heading',
 'sync.endings.already-granted.heading', 'sync.endings.already-granted.text', 'sync.problems.outcome-unknown', 'sync.problems.service-refused',
 'sync.problems.bad-service-response', 'sync.problems.service-unavailable', 'actions.gone', None]
values = {}
for tag, texts in {**langs1.L, **langs2.L, **ende.L}.items():
    assert len(texts) == len(ORDER), (tag, len(texts))
    own = values[tag] = {}
    for keys, text in zip(ORDER, texts):
        if keys is None: continue
        for key in [keys] if isinstance(keys, str) else keys:
            if isinstance(text, dict): own.update({f'{key}.{k}': v for k, v in text.items()})
            else: own[key] = text
    own.update(ende.MORE.get(tag, {}))
NOW = {tag: texts[-1] for tag, texts in {**langs1.L, **langs2.L, **ende.L}.items()}

def place(source, path):
    """Start and end of the literal of `path` (below its `export const`)."""
    at, depth = 0, 1
    for i, part in enumerate(path):
        name = f"'?{re.escape(part)}'?: "
        found = re.compile(('\n' + '  ' * (i + 1) + name) if i < 2 else r'[\s{]' + name).search(source, at)
        if not found: return None
        at = found.end()
    if source[at] != "'":
        return None
    return at, source.index("'", at + 1) + 1

def main(tags):
    missing = []
    for tag in tags:
        for path, text in values[tag].items():
            section, *rest = path.split('.')
            if tag == 'en': name = 'en.ts' if section == 'core' else f'en-{section}.ts'
            else: name = f'{tag}.ts' if section == 'core' else f'{tag}-later.ts'
            file = dir_ + name
            source = open(file).read()
            start = 0 if tag == 'en' else source.index(f'export const {section}:')
            end = source.find('\n};', start)
            hit = place(source[start:end], rest)
            if not hit: missing.append((tag, path)); continue
            assert "'" not in text
            a, b = start + hit[0], start + hit[1]
            open(file, 'w').write(source[:a] + f"'{text}'" + source[b:])
    print('missing', missing)

if __name__ == '__main__': main(sys.argv[2:] or list(values))
