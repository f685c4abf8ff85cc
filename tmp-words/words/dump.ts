const dir = process.argv[2]; const out: any = {};
const tags = 'ar cs da de es fi fr he it ja ko nb nl pl pt-PT pt sv tr uk zh-Hant zh'.split(' ');
for (const t of tags) { const { comments, entries, problems, sync, thread, actions } = await import(`${dir}/${t}-later.ts`); out[t] = { core: (await import(`${dir}/${t}.ts`)).core, comments, entries, problems, sync, thread, actions }; }
const g = async (n: string, e: string) => (await import(`${dir}/${n}.ts`))[e];
out.en = { core: await g('en', 'coreStrings'), comments: await g('en-comments', 'commentsStrings'), entries: await g('en-entries', 'entryStrings'), problems: await g('en-problems', 'problemStrings'), sync: await g('en-sync', 'syncStrings'), thread: await g('en-thread', 'threadStrings'), actions: await g('en-actions', 'actionStrings') };
const flat = (o: any, p = ''): any => Object.fromEntries(Object.entries(o).flatMap(([k, v]: any) => typeof v === 'string' ? [[p + k, v]] : Object.entries(flat(v, p + k + '|'))));
console.log(JSON.stringify(Object.fromEntries(Object.entries(out).map(([t, v]) => [t, flat(v)]))));
