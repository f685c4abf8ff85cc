/** Import rules of the packages. `npm run lint` checks them. Type-only imports count. */

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Types and dynamic imports included: a module in a cycle cannot be read or tested by itself.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { circular: true },
    },
    {
      name: 'shared-imports-nothing',
      severity: 'error',
      from: { path: '^packages/shared/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/shared/src' },
    },
    {
      name: 'packages-meet-in-shared',
      severity: 'error',
      from: { path: '^packages/(bff|widget)/src' },
      to: { path: '^packages/(bff|widget)/src', pathNot: '^packages/$1/src' },
    },
    {
      name: 'lib-imports-nothing-upwards',
      comment: 'lib/ is the lowest folder of the widget: it imports packages and itself.',
      severity: 'error',
      from: { path: '^packages/widget/src/lib/' },
      to: { path: '^packages/widget/', pathNot: '^packages/widget/src/lib/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@vestibule/source', 'import', 'default'], extensions: ['.ts', '.js'] },
  },
};
