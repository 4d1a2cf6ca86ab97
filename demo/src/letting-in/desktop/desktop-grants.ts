import { forget, recall, remember } from '../../session/remembered.js';
import { type Readable, readableInWords } from '../grants.js';

/** What the user has allowed a desktop app. */
export interface DesktopGrant extends Readable {
  /** Whether it may change what it may read. */
  readonly changes: 'none' | 'ask' | 'allow';
}

/** The grants by the names of the apps, while there is a pairing. */
const STORAGE_KEY = 'inpage-mcp-demo-desktop';

/** Whether this page was paired: only then does it load what connects it again. */
export const wasPaired = (): boolean => recall(STORAGE_KEY) !== null;

/** Remembers that there is a pairing, until {@link forgetPairing}. */
export const rememberPairing = (): void => store(stored());

/** Forgets the pairing, and what was allowed. */
export const forgetPairing = (): void => forget(STORAGE_KEY);

/** What the user has allowed an app; undefined if nothing. */
export function rememberedGrant(name: string): DesktopGrant | undefined {
  const grants = stored();
  return Object.hasOwn(grants, name) ? grants[name] : undefined;
}

/** Remembers what the user has allowed an app; `undefined` forgets it. */
export function rememberGrant(name: string, grant: DesktopGrant | undefined): void {
  const { [name]: _before, ...others } = stored();
  store(grant ? { ...others, [name]: grant } : others);
}

/** What it may do, in a sentence. */
export function grantInWords(grant: DesktopGrant): string {
  const write = {
    none: 'changes nothing',
    ask: 'changes what you agree to',
    allow: 'changes it without asking',
  };
  return `Reads ${readableInWords(grant)}; ${write[grant.changes]}.`;
}

function stored(): { [name: string]: DesktopGrant } {
  try {
    const grants = JSON.parse(recall(STORAGE_KEY) ?? '{}') as { [name: string]: DesktopGrant };
    const isGrant = (grant: DesktopGrant | null): boolean =>
      Array.isArray(grant?.notes) && ['none', 'ask', 'allow'].includes(grant.changes);
    return Object.fromEntries(Object.entries(grants).filter(([, grant]) => isGrant(grant)));
  } catch {
    return {};
  }
}

function store(grants: { [name: string]: DesktopGrant }): void {
  remember(STORAGE_KEY, JSON.stringify(grants));
}
