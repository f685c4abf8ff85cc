import { describeEngine } from './_engines/_describe-engine.ts';
import { firefox } from './_engines/firefox.ts';

describeEngine(firefox);
