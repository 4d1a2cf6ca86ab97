// The part of @custom-elements-manifest/analyzer that is used here and that its own types omit. It has its
// own TypeScript with an API, which the TypeScript of this repository does not have.

declare module '@custom-elements-manifest/analyzer' {
  interface Node {
    getText(): string;
  }

  interface Property extends Node {
    name: Node & { text: string };
    type?: Node;
  }

  interface Interface extends Node {
    name: { text: string };
    members: Node[];
  }

  interface TypeAlias extends Node {
    name: { text: string };
    type: Node;
  }

  export interface CollectPhase {
    node: Node;
  }

  export const ts: {
    ScriptTarget: { ESNext: number };
    createSourceFile(name: string, text: string, target: number, setParents: boolean): Node;
    isInterfaceDeclaration(node: Node): node is Interface;
    isTypeAliasDeclaration(node: Node): node is TypeAlias;
    isPropertySignature(node: Node): node is Property;
    isStringLiteral(node: Node): boolean;
  };

  export function create(options: { modules: Node[]; plugins: object[] }): unknown;
}

declare module '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js' {
  export function litPlugin(): object[];
}
