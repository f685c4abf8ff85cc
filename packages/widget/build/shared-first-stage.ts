/**
 * Vite plugin: later chunks take the modules of the first stage (Lit, `Draft`, `Localizer` and others) from a global object.
 *
 * Without the plugin, the bundler writes `import { … } from '../widget.js'` into later chunks. A browser identifies a module by
 * its URL, and a page may load the entry as `widget.js?v=2` or as `widget-<version>-<hash>.js`. The import would then evaluate
 * the entry a second time, with a second copy of Lit. A shared chunk would avoid this, but costs a further request before a
 * reader can type.
 *
 * 1. `config` builds the entry alone, to list the modules of the first stage and to hash its code.
 * 2. The entry stores the exports of `first-stage.ts` in `globalThis[Symbol.for('vestibule-<hash>')]`. A page may have two
 *    releases; the hash keeps them apart.
 * 3. `resolveId` replaces each import of such a module in a later chunk with a virtual module that reads this object. If the
 *    object lacks an imported name, the build fails.
 */

import { createHash } from 'node:crypto';
import { build, parseAst, type Plugin, type Rolldown, type UserConfig } from 'vite';

const SHARED = '\0virtual/first-stage';

export interface SharedFirstStageOptions {
  /** Absolute path of the entry. The first stage is the entry and its static imports, direct and indirect. */
  readonly entry: string;
  /** Absolute path of the module whose only export is the shared object: a literal with shorthand properties. */
  readonly exports: string;
  /** Name of the constant in the entry that the build replaces with the key, a string. */
  readonly key: string;
}

interface FirstStage {
  /** Ids of the modules. */
  readonly modules: ReadonlySet<string>;
  /** Names that later chunks may import. */
  readonly exports: readonly string[];
  /** Contains the hash of the code. */
  readonly key: string;
}

export function sharedFirstStage(options: SharedFirstStageOptions): Plugin {
  let firstStage: FirstStage;
  return {
    name: 'vestibule:shared-first-stage',
    apply: 'build',
    enforce: 'pre',
    async config({ root, resolve }) {
      firstStage = await analyze(options, { ...(root && { root }), ...(resolve && { resolve }) });
      return { define: { [options.key]: JSON.stringify(firstStage.key) } };
    },
    async resolveId(source, importer, { isEntry }) {
      if (isEntry || firstStage.modules.has(importer!)) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && firstStage.modules.has(resolved.id) ? SHARED : resolved;
    },
    load(id) {
      if (id !== SHARED) return null;
      return `export const { ${firstStage.exports.join(', ')} } = globalThis[Symbol.for(${JSON.stringify(firstStage.key)})];`;
    },
  };
}

/** Builds the first stage without the later chunks. */
async function analyze({ entry, exports }: SharedFirstStageOptions, config: UserConfig): Promise<FirstStage> {
  const modules = new Map<string, Rolldown.ModuleInfo>();
  const collectModules: Plugin = {
    name: 'vestibule:collect-modules',
    moduleParsed: (module) => void modules.set(module.id, module),
    resolveDynamicImport: () => false,
  };
  const result = await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    plugins: [collectModules],
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  }) as Rolldown.RolldownOutput[];
  const hash = createHash('sha256').update(result[0]!.output[0].code).digest('hex').slice(0, 8);
  return { modules: new Set(modules.keys()), exports: propertiesOf(modules.get(exports)!.code!), key: `vestibule-${hash}` };
}

/** Names of the properties of the object that the module exports. */
function propertiesOf(code: string): string[] {
  const [names] = parseAst(code).body.flatMap((statement) => {
    const init = statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations[0]?.init : undefined;
    return init?.type === 'ObjectExpression' ? [init.properties] : [];
  });
  return names!.flatMap((property) => (property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : []));
}
