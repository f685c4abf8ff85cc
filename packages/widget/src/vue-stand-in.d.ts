/** What `vue.ts` extends, while the widget itself is compiled: it does not depend on Vue. Who imports `@vestibule/widget/vue` has
 *  Vue's own typings. */

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
