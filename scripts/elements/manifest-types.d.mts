// The used part of the schema of custom elements manifests (version 1).

export interface Named {
  name: string;
  description?: string;
  type?: { text: string };
  default?: string;
}

export interface Attribute extends Named {
  fieldName?: string;
}

export interface Member extends Named {
  kind: 'field' | 'method';
  privacy?: string;
  static?: boolean;
  readonly?: boolean;
}

/** A class, a function or a variable. */
export interface Declaration {
  name: string;
  description?: string;
  customElement?: boolean;
  tagName?: string;
  superclass?: { name: string };
  members?: Member[];
  attributes?: Attribute[];
  events?: Named[];
  slots?: Named[];
  cssParts?: Named[];
  cssProperties?: Named[];
  cssStates?: Named[];
}

/** The declaration of an element, with the path of its module. */
export interface Element extends Declaration {
  tagName: string;
  path: string;
}

export interface Export {
  kind: string;
  name: string;
  declaration: { name: string; module?: string };
}

export interface Module {
  kind: string;
  path: string;
  declarations: Declaration[];
  exports: Export[];
}

export interface Manifest {
  modules: Module[];
}
