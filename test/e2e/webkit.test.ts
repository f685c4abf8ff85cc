import { describeEngine } from './_engines/_describe-engine.ts';
import { webkit } from './_engines/webkit.ts';

describeEngine(webkit);
