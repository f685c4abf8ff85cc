/** The interface that `vue.ts` extends, while the widget is compiled without Vue. Importers of `@vestibule/widget/vue` have Vue's
 *  typings. */

declare module 'vue' {
  export interface HTMLAttributes {
    readonly id?: string;
    readonly class?: unknown;
    readonly lang?: string;
  }
  export interface GlobalComponents {
    readonly Transition?: unknown;
  }
}
