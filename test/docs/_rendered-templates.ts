/** The documentation's templates, rendered by the engines of their languages. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from '@astrojs/compiler';
import Handlebars from 'handlebars';
import { Liquid } from 'liquidjs';
import Twig from 'twig';

const run = promisify(execFile);

/** Renders a template for an article. */
export type Render = (template: string, article: URL) => Promise<string> | string;

/** By the language of the block. */
export const renderers: Readonly<Record<string, Render>> = {
  astro: renderAstro,
  php: renderWordPress,
  twig: (template, { href }) => Twig.twig({ data: template }).render({ article_url: href, language: 'en' }),
  liquid: (template, { origin, pathname }) => (
    new Liquid().parseAndRender(template, { site: { url: origin }, page: { url: pathname } }) as Promise<string>
  ),
  handlebars: (template, { href }) => {
    const ghost = Handlebars.create();
    ghost.registerHelper('url', ({ hash }: { hash: { absolute?: string } }) => (hash.absolute === 'true' ? href : new URL(href).pathname));
    return ghost.compile(template)({});
  },
};

/** As much of Astro's runtime as a component without scripts and slots of its own uses. */
const ASTRO_RUNTIME = `
  export const createMetadata = () => ({});
  export const createAstro = () => ({});
  export const createComponent = (render) => (props) => render({ createAstro: () => ({ props }) }, props, {});
  export const render = (strings, ...values) => String.raw({ raw: strings }, ...values);
  export const renderComponent = (_result, _name, tag, props) => {
    const attributes = Object.entries(props).map(([name, value]) => \` \${name}="\${String(value).replaceAll('"', '&quot;')}"\`);
    return \`<\${tag}\${attributes.join('')}></\${tag}>\`;
  };
  const unused = () => { throw new Error('not part of this runtime'); };
  export {
    unused as Fragment, unused as renderHead, unused as maybeRenderHead, unused as unescapeHTML, unused as renderSlot, unused as mergeSlots,
    unused as addAttribute, unused as spreadAttributes, unused as defineStyleVars, unused as defineScriptVars, unused as renderTransition,
    unused as createTransitionScope, unused as renderScript,
  };
`;

const toModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

async function renderAstro(template: string, { href }: URL): Promise<string> {
  const { code, diagnostics } = await transform(template, { internalURL: toModule(ASTRO_RUNTIME), filename: 'comments.astro' });
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  const { default: component } = await import(toModule(code)) as { default: (props: object) => string };
  return component({ article: href });
}

/** As much of WordPress as the snippet uses, for a single post. */
const WORDPRESS = `<?php
$hooks = [];
function add_action($name, $hook) { global $hooks; $hooks[$name] = $hook; }
function add_filter($name, $hook) { add_action($name, $hook); }
function __return_false() { return false; }
function is_single() { return true; }
function in_the_loop() { return true; }
function get_permalink() { global $argv; return $argv[1]; }
function esc_url($url) { return htmlspecialchars($url, ENT_QUOTES); }
function wp_enqueue_script_module($id, $url) { echo '<script type="module" src="' . esc_url($url) . '"></script>'; }
require __DIR__ . '/functions.php';
$hooks['wp_enqueue_scripts']();
echo $hooks['the_content']('<p>The article.</p>');
if ($hooks['comments_open'](true)) { exit(1); }
`;

async function renderWordPress(template: string, { href }: URL): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-php-'));
  try {
    await writeFile(join(directory, 'functions.php'), template);
    await writeFile(join(directory, 'site.php'), WORDPRESS);
    const { stdout } = await run(process.env['PHP_PATH'] || 'php', ['-d', 'display_errors=stderr', join(directory, 'site.php'), href]);
    return stdout;
  } finally {
    await rm(directory, { recursive: true });
  }
}
