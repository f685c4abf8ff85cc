/** What a page's main thread did, task by task, and how much of it was the widget's: taken from the browser's own trace, in
 *  the thread's processor time, so that what else the machine does hardly matters. */

import type { Browser } from 'playwright-core';

export interface MainThreadTask {
  readonly cpuMs: number;
  /** In scripts of the widget's, with what they made the browser do at once: promises, style, layout. */
  readonly oursMs: number;
}

export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds on the clock, and of the thread's processor time. */
  readonly ts: number;
  readonly tts?: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: {
    readonly data?: { readonly url?: string };
    readonly beginData?: { readonly url?: string };
    readonly animation_frame_script_timing_info?: { readonly source_location_url: string };
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline'];

const OURS = /^https?:\/\/[^/]+\/vestibule\//;

/** What the browser did while `act` did, in the order of its beginning. */
export async function recordTrace(browser: Browser, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value as unknown as TraceEvent[]));
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: CATEGORIES } });
  await act();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return events.toSorted((a, b) => a.ts - b.ts);
}

/** The tasks of each thread that ran a script of the widget's. */
export function mainThreadTasks(events: readonly TraceEvent[]): readonly MainThreadTask[] {
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`);
  return [...threads.values()].flatMap((thread) => {
    const ours = stretchesOfOurs(thread);
    return ours.length > 0 ? tasksOf(thread, ours) : [];
  });
}

/** All that the main thread of the page of this address did, in milliseconds of processor time. */
export function pageMs(events: readonly TraceEvent[], url: string): number {
  const page = events.find(({ name, args }) => name === 'ParseHTML' && args.beginData?.url === url);
  if (!page) throw new Error('The trace has no such page.');
  const tasks = events.filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === page.pid && tid === page.tid);
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}

/** Milliseconds on the clock that the browser spent on reading the widget's scripts and compiling them, in any thread. */
export function compileMs(events: readonly TraceEvent[]): number {
  const isCompiling = ({ name, args }: TraceEvent): boolean => (
    ['v8.compileModule', 'v8.parseOnBackground'].includes(name) && OURS.test(args.data?.url ?? '')
  );
  return events.filter(isCompiling).reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000;
}

/** What runs scripts of the widget's, from the outermost call to the end of the promises that it settled. */
function stretchesOfOurs(thread: readonly TraceEvent[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let begun: TraceEvent | undefined;
  for (const event of thread) {
    if (event.name === 'AnimationFrame::Script::Execute') {
      if (event.ph === 'e' && OURS.test(begun?.args.animation_frame_script_timing_info?.source_location_url ?? '')) {
        stretches.push({ from: begun!.ts, to: event.ts });
      }
      begun = event.ph === 'b' ? event : undefined;
    } else if (event.name === 'FunctionCall' && OURS.test(event.args.data?.url ?? '')) {
      stretches.push({ from: event.ts, to: event.ts + (event.dur ?? 0) });
    }
  }
  return outermost(stretches);
}

function outermost(stretches: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (stretch.from >= (found.at(-1)?.to ?? 0)) found.push(stretch);
  }
  return found;
}

function tasksOf(thread: readonly TraceEvent[], ours: readonly Stretch[]): readonly MainThreadTask[] {
  const cpuAt = cpuClock(thread);
  return thread.filter(({ name, ph }) => name === 'RunTask' && ph === 'X').map(({ ts, dur = 0, tdur = 0 }) => {
    const within = ours.filter(({ from, to }) => from >= ts && to <= ts + dur);
    return {
      cpuMs: tdur / 1000,
      oursMs: within.reduce((sum, { from, to }) => sum + cpuAt(to) - cpuAt(from), 0) / 1000,
    };
  });
}

/** The thread's processor time at a point of the clock, between the beginnings and ends that say both. */
function cpuClock(thread: readonly TraceEvent[]): (at: number) => number {
  const points = thread.flatMap(({ ts, tts, dur, tdur }) => {
    if (tts === undefined) return [];
    return dur === undefined || tdur === undefined ? [{ ts, tts }] : [{ ts, tts }, { ts: ts + dur, tts: tts + tdur }];
  }).toSorted((a, b) => a.ts - b.ts);
  return (at) => {
    const next = points.findIndex(({ ts }) => ts >= at);
    const [before, after] = [points[next - 1] ?? points[0], points[next] ?? points.at(-1)];
    if (!before || !after) throw new Error('The trace has no processor times.');
    const part = after.ts === before.ts ? 0 : (at - before.ts) / (after.ts - before.ts);
    return before.tts + part * (after.tts - before.tts);
  };
}
