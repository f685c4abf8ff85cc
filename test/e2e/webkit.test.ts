import { webkit } from './_engines/webkit.ts';
import { describeWays } from './_engines/_ways.ts';

describeWays(webkit);
