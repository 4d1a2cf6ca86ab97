import { nextTheme, showTheme } from '../ui/colour-theme.js';
import { recall, remember } from '../browser/remembered.js';

const FRAMEWORK_KEY = 'inpage-mcp-docs-framework';

/** The time for which a button shows that it has copied, in milliseconds. */
const COPIED_MS = 2_000;

/**
 * The tools of a page once its scripts run: another theme, copying code, editing and running examples, and
 * one framework at a time.
 * @param root The address of the docs.
 */
export function addPageTools(root: URL): void {
  showTheme();
  document.querySelector('#theme')!.addEventListener('click', nextTheme);
  for (const block of document.querySelectorAll<HTMLElement>('main pre')) {
    const button = block.nextElementSibling;
    const frame = addCopyButton(block);
    const { example } = block.dataset;
    if (example) letEdit(frame, button as HTMLButtonElement, example, root);
  }
  for (const heading of document.querySelectorAll<HTMLElement>('#in-a-framework'))
    showOneFramework(heading);
  openTarget();
  addEventListener('hashchange', openTarget);
}

function buttonNamed(words: string, onclick: (event: Event) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words;
  button.addEventListener('click', onclick);
  return button;
}

function addCopyButton(block: Element): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(block.textContent).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Not copied';
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
  };
  const button = buttonNamed('Copy', () => void copy());
  frame.append(block, button);
  return frame;
}

/** Replaces the block by an editor, until the editor is closed. */
function letEdit(frame: HTMLElement, button: HTMLButtonElement, code: string, root: URL): void {
  const edit = async (): Promise<void> => {
    const { ExampleEditor } = await import('./example-editor.js');
    const editor = new ExampleEditor(code, root, () => {
      editor.element.replaceWith(frame);
      frame.after(button);
      button.focus();
    });
    button.remove();
    frame.replaceWith(editor.element);
    editor.reset();
  };
  button.addEventListener('click', () => void edit());
}

/** Shows the part of the framework that the reader has chosen, here or on another page. */
function showOneFramework(heading: HTMLElement): void {
  const parts = new Map<string, HTMLElement[]>();
  let name = '';
  for (
    let next = heading.nextElementSibling;
    next instanceof HTMLElement && next.localName !== 'h2';
    next = next.nextElementSibling
  ) {
    if (next.localName === 'h3') parts.set((name = next.textContent), []);
    parts.get(name)?.push(next);
  }
  const select = document.createElement('select');
  for (const one of parts.keys()) select.add(new Option(one));
  const show = (): void => {
    for (const [one, elements] of parts)
      for (const element of elements) element.hidden = one !== select.value;
  };
  const choose = (wanted: string | undefined | null): void => {
    if (wanted && parts.has(wanted)) select.value = wanted;
    show();
  };
  const followLink = (): void => {
    const linked = targetOfPage();
    if (linked?.localName === 'h3') choose(linked.textContent);
  };
  select.addEventListener('change', () => {
    remember(FRAMEWORK_KEY, select.value);
    show();
  });
  const label = document.createElement('label');
  label.className = 'choice';
  label.append('Your framework ', select);
  heading.after(label);
  choose(recall(FRAMEWORK_KEY));
  followLink();
  addEventListener('hashchange', followLink);
}

/** Opens the entry of a reference to which the link leads. */
function openTarget(): void {
  const target = targetOfPage();
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}

/** The target element of the address. `:target` matches it only once the page is loaded. */
function targetOfPage(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    // The address has a `%` that encodes no letter.
    return null;
  }
}
