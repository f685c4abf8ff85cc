/** Requests and bytes that the widget causes in 1,000 views of an article by readers of whom 1 % comment. Measured for one
 *  passer-by and one commenter with empty caches: the commenter signs in in a window, answers the questions, and posts. */

import { post, signIn, startStage, write } from '../e2e/_stage.ts';
import { plainPage, startNewspaper } from '../page/_newspaper.ts';
import { boxOf, settle } from '../page/_reading.ts';
import { countBffRequests, type BffRequests } from '../page/_requests.ts';
import { launch, openTab } from '../page/_slow-browser.ts';
import type { BenchRow } from './_row.ts';
import { renderTable } from './_table.ts';

const VIEWS = 1000;
const COMMENTERS = 10;

export async function benchPageViews(): Promise<readonly BenchRow[]> {
  const passerBy = await measurePasserBy();
  const commenter = await measureCommenter();
  const total = (figure: (requests: BffRequests) => number): number => (
    (VIEWS - COMMENTERS) * figure(passerBy) + COMMENTERS * figure(commenter)
  );
  const per = '1,000 article views, 1 % commenters';
  return [
    { name: 'page views: requests of a passer-by beyond static files', value: passerBy.others.length, unit: 'requests', goal: { atMost: 0 } },
    { name: 'page views: bytes of a passer-by', value: passerBy.bytes, unit: 'bytes' },
    { name: 'page views: bytes of a commenter', value: commenter.bytes, unit: 'bytes' },
    { name: `page views: requests beyond static files, ${per}`, value: total(({ others }) => others.length), unit: 'requests' },
    { name: `page views: requests for static files, ${per}`, value: total(({ files }) => files.length), unit: 'requests' },
    { name: `page views: bytes, ${per}`, value: total(({ bytes }) => bytes), unit: 'bytes' },
  ];
}

async function measurePasserBy(): Promise<BffRequests> {
  await using newspaper = await startNewspaper();
  await using browser = await launch();
  await using tab = await openTab(browser, { slowdown: 1 });
  const count = countBffRequests(tab.context);
  await tab.page.goto(newspaper.url + plainPage());
  await boxOf(tab.page).getByLabel('Your comment').waitFor();
  await settle(tab.page);
  await tab.page.waitForLoadState('networkidle');
  return await count();
}

async function measureCommenter(): Promise<BffRequests> {
  await using browser = await launch();
  await using stage = await startStage({}, { browser });
  await using visitor = await stage.reader();
  const count = countBffRequests(visitor.context);
  await visitor.open();
  await write(visitor, 'A comment of usual length, to be posted after signing in.');
  await signIn(visitor);
  await post(visitor);
  await visitor.box.getByText('Your comment is posted.').waitFor();
  return await count();
}

if (import.meta.main) console.log(renderTable(await benchPageViews()));
