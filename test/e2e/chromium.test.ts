import { chromium } from './_engines/puppeteer.ts';
import { describeWays } from './_engines/_ways.ts';

describeWays(chromium);
