/** The publisher's site, and the demonstration around it. */

export { startDemo, type Demo, type DemoOptions } from './demo.ts';
export type { SiteOptions } from './options.ts';
export { createSite } from './site.ts';
