/** Keeps `widget.js` alive where a page's `trusted-types` list lets Lit have no policy, because it names none of Lit's or
 *  because another copy of Lit took the name first: Lit makes its policy while it is loaded, and a refusal there would end
 *  the whole module without a word. The policy is asked for by Lit's name, then by the widget's own; without either Lit goes
 *  on without one, and whether it can draw then is for the entry to find out. */

import type { Plugin } from 'vite';

const CREATION = /(\b[\w$]+)\.createPolicy\((["'])lit-html\2,(\{createHTML:[^}]*\})\)/g;

const NAMES = ['lit-html', 'vestibule'];

export function toleratePolicy(): Plugin {
  let found = 0;
  return {
    name: 'vestibule:tolerate-policy',
    apply: 'build',
    buildStart() {
      found = 0;
    },
    transform(code, id) {
      if (!/[\\/]lit-html\.js$/.test(id)) return null;
      found += 1;
      return { code: tolerate(code), map: null };
    },
    buildEnd(error) {
      if (!error && found !== 1) this.error(`Lit's templates are made in ${found} modules, not in one`);
    },
  };
}

/** @throws where the module does not make its policy as it used to. */
export function tolerate(code: string): string {
  let count = 0;
  const result = code.replace(CREATION, (_, factory: string, _quote: string, rules: string) => {
    count += 1;
    const attempt = NAMES.reduceRight((rest, name) => `try{return ${factory}.createPolicy("${name}",${rules})}catch{${rest}}`, '');
    return `(()=>{${attempt}})()`;
  });
  if (count !== 1) throw new Error(`Lit makes ${count} policies, not one`);
  return result;
}
