import { firefox } from './_engines/puppeteer.ts';
import { describeWays } from './_engines/_ways.ts';

describeWays(firefox);
