import json,subprocess,re
# after the map, which old sentences are left in tests?
root='/work/wt/words'
a=json.load(open('/tmp/words/before.json'));b=json.load(open('/tmp/words/after.json'))
fs=subprocess.run("git ls-files 'packages/widget/src/**/*.test.ts' 'packages/widget/src/**/_*.ts' test docs README.md CHANGELOG.md 'packages/*/README.md'",shell=True,cwd=root,capture_output=True,text=True).stdout.split()
for f in fs:
    try: s=open(root+'/'+f).read()
    except Exception: continue
    for t in a:
        for k,o in a[t].items():
            if o!=b[t][k] and o in s and len(o)>5: print(f,t,k,o)
