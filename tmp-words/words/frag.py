import json,subprocess,re,sys
root='/work/wt/words'
sys.path.insert(0,'/tmp'); from words_map import apply
a=json.load(open('/tmp/words/before.json'));b=json.load(open('/tmp/words/after.json'))
fs=subprocess.run("git ls-files 'packages/widget/src/**/*.test.ts' 'packages/widget/src/**/_*.ts' 'test/**/*.ts'",shell=True,cwd=root,capture_output=True,text=True).stdout.split()
for f in fs:
    s=open(root+'/'+f).read()
    for lit in set(re.findall(r"'([^'\n]{5,})'|`([^`\n]{5,})`|/([A-Za-z][^/\n]{5,})/",s)):
        lit=next(x for x in lit if x)
        if not re.search(r'[a-zA-Z]{3}[ ’][a-zA-Z]|^[A-Z][a-z]+ |[À-ÿ]',lit): continue
        for t in a:
            for k,o in a[t].items():
                n=b[t][k]
                if o!=n and lit.strip() in o and lit.strip() not in n: print(f.split('/')[-1],'|',lit,'|',t,k,'|',n[:70])
