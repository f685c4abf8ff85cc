import json,subprocess,re
root='/work/wt/words'
a=json.load(open('/tmp/words/before.json'));b=json.load(open('/tmp/words/after.json'))
files=subprocess.run("git ls-files packages/widget test packages/bff docs scripts tools examples 2>/dev/null | grep -E '\\.(ts|tsx|mjs|js|json|md)$' | grep -v 'packages/widget/src/locales/[a-zA-Z-]*\\.ts$'; git ls-files packages/widget/src/locales | grep test",shell=True,cwd=root,capture_output=True,text=True).stdout.split()
src={f:open(root+'/'+f).read() for f in dict.fromkeys(files)}
for f,s in src.items():
    src[f]=s
# fragments: any old sentence of 2+ words or changed text found in tests, either literally or part
import collections
W=collections.OrderedDict(); amb=[]
for t in ['en','de']+[x for x in a if x not in('en','de')]:
    for k in a[t]:
        o,n=a[t][k],b[t][k]
        if o==n: continue
        lits=[o]
        # with placeholders: compare the longest constant part
        hits=[f for f,s in src.items() if o in s]
        parts=[p for p in re.split(r'\{\w+\}',o) if len(p.strip())>6]
        if hits:
            if o in W and W[o]!=n: amb.append((t,k,o,W[o],n))
            W.setdefault(o,n)
            print(t,k,'|',o,'->',n,len(hits),hits[:4])
        elif '{' in o:
            for p in parts:
                h=[f for f,s in src.items() if p.strip() in s]
                if h: print('  PART',t,k,repr(p),h[:4])
print('AMB',amb)
json.dump(W,open('/tmp/words/W.json','w'),ensure_ascii=False)
