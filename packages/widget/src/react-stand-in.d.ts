/** The interfaces that `react.ts` extends, while the widget is compiled without React. Importers of `@vestibule/widget/react`
 *  have React's typings. */

declare module 'react' {
  export interface HTMLAttributes<Element> {
    readonly id?: string;
    readonly className?: string;
    readonly lang?: string;
    readonly children?: unknown;
    readonly onClick?: (event: { readonly currentTarget: Element }) => void;
  }
  export type DetailedHTMLProps<Attributes, Element> = Attributes & {
    readonly key?: string;
    readonly ref?: (element: Element | null) => void;
  };
  export namespace JSX {
    interface IntrinsicElements {
      readonly div: HTMLAttributes<HTMLDivElement>;
    }
  }
}
