import { msg, str } from '@lit/localize';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { keepFocus } from '../../base/element/focus-keeper.js';
import { focusedPart } from '../../base/element/focused-part.js';
import { McpElement } from '../../base/element/mcp-element.js';
import {
  checkIcon,
  icon,
  infoIcon,
  lockIcon,
  pauseIcon,
  refreshIcon,
  warningIcon,
} from '../../base/look/icons.js';
import { theme } from '../../base/look/theme.js';
import { formatAge, formatDate, isolate, joinFacts } from '../../base/text/format.js';
import { nameOf } from '../../base/text/name-of.js';
import { truncateText } from '../../base/text/truncate-text.js';
import { typeInWords } from '../../base/text/type-words.js';
import { labelStyles } from '../../fields/form/fields.styles.js';
import { McpResourceSelectEvent } from '../../show/mcp-resource-list/rows/events.js';
import { TitlesController } from '../mcp-activity/titles-controller.js';
import { CodePanel, type ShownCode } from './code-panel.js';
import { CommandForms } from './command-forms.js';
import type { DeviceSync, DeviceSyncStatus, SyncConflict, SyncedDevice } from './device-sync.js';
import { styles } from './mcp-sync.styles.js';
import { amountsInWords, remarksInWords, stateInWords, suggestDeviceName } from './words.js';

/** The interval at which times are shown again, in milliseconds. */
const CLOCK_MS = 60_000;

/** The time for which an invitation is valid, in milliseconds. */
const INVITATION_MS = 600_000;

/** The maximum length of the name of a device, in UTF-16 code units. */
const MAX_NAME_LENGTH = 100;

/** The maximum number of devices and of conflicts that are shown. */
const MAX_ROWS = 100;

const ICONS: { readonly [state in DeviceSyncStatus['state']]: string } = {
  off: infoIcon,
  paused: pauseIcon,
  syncing: refreshIcon,
  idle: checkIcon,
  waiting: warningIcon,
  locked: lockIcon,
};

/** The form that the user has opened, and the device that it is about. */
type Step = { name: 'invite' | 'leave' } | { name: 'remove'; device: SyncedDevice };

/**
 * The sync of this device with the other devices of the user: joins, shows how it is in words, and lists
 * the devices and what two of them have changed at once.
 *
 * Works with `sync`, such as that of `runtime.sync()`. With a client, from `<mcp-provider>` or its own, it
 * shows the titles of notes. Passphrases and codes are in no attribute, event or log, and a passphrase is
 * cleared after its use.
 *
 * @element mcp-sync
 * @fires mcp-resource-select - The user wants to open an entry that two devices have changed, or its copy.
 * @csspart summary - The line with the state.
 * @csspart form - A form for a command.
 * @csspart problem - Why a command has failed.
 * @csspart code - A recovery code, or the code of an invitation.
 * @csspart devices - The devices of the user.
 * @csspart conflicts - What two devices have changed at once.
 * @cssprop [--mcp-color-success] - The mark of a device where everything is the same.
 * @cssprop [--mcp-color-danger] - Failures, and what cannot be undone.
 * @cssstate off - This device has not joined.
 * @cssstate paused - The sync is paused.
 * @cssstate syncing - Changes are taken or sent.
 * @cssstate idle - Everything is the same on all devices.
 * @cssstate waiting - It failed, and is tried again later.
 * @cssstate locked - The passphrase is needed.
 */
export class McpSync extends McpElement {
  static override readonly styles = [theme, labelStyles, styles];

  static override readonly properties = {
    sync: { attribute: false },
  };

  /** The sync of this device. Default: none, which the element reports. */
  declare sync: DeviceSync | undefined;

  readonly #forms = new CommandForms(this, (name) =>
    this.#moveFocus(`form.${name} :is([aria-invalid=true], button)`),
  );
  readonly #code = new CodePanel(this, () => this.#moveFocus('.state'));
  readonly #titles = new TitlesController(this, () => this.connection.client);
  #watched: DeviceSync | undefined;
  #step: Step | undefined;
  /**
   * The element that gets the focus as soon as it exists, unless another part of the page has it; '' for
   * none.
   */
  #focusTarget = '';
  #clock: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    keepFocus(this, () => () => this.#find('.state'));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#startClock();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#clock);
    this.#watch(undefined);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('sync')) this.#forget();
    this.#watch(this.isConnected ? this.sync : undefined);
    const state = this.sync?.status.state;
    for (const name of Object.keys(ICONS)) this.setState(name, name === state);
    if (state !== 'off' || this.#forms.running) return;
    this.#step = undefined;
    if (this.#code.kind === 'invitation') this.#code.show(undefined);
  }

  protected override updated(): void {
    const conflicts = this.sync?.status.conflicts ?? [];
    this.#titles.want(conflicts.slice(0, MAX_ROWS).map(({ uri }) => uri));
    const target = this.#focusTarget && this.#find(this.#focusTarget);
    if (!target) return;
    this.#focusTarget = '';
    if (focusedPart(this) !== undefined) target.focus();
  }

  protected override render(): TemplateResult {
    const { sync } = this;
    return sync
      ? html`${this.#renderSummary(sync)} ${this.#renderContent(sync)}`
      : html`<div class="message">
          ${msg('This page does not sync.', { id: 'mcp.sync.none' })}
        </div>`;
  }

  #renderContent(sync: DeviceSync): TemplateResult | typeof nothing {
    const { state, conflicts } = sync.status;
    if (this.#code.kind) return this.#code.render();
    // While it joins, it counts as joined before its recovery code arrives.
    if (state === 'off' || this.#forms.running === 'join') return this.#renderJoin(sync);
    const lists = html`${conflicts.length > 0 ? this.#renderConflicts(conflicts) : nothing}
    ${this.#renderDevices(sync)}`;
    return html`${state === 'locked' ? this.#renderUnlock(sync) : lists} ${this.#renderLeave(sync)}`;
  }

  #renderSummary(sync: DeviceSync): TemplateResult {
    const { status } = sync;
    const { state, syncedAt } = status;
    const age = formatAge(isoOf(syncedAt));
    const last = age && msg(str`Last synced: ${age}`, { id: 'mcp.sync.last' });
    return html`<div class="summary" part="summary">
        <span class="mark ${state}">${icon(ICONS[state])}</span>
        <div class="about">
          <p class="state" role="status" tabindex="-1">${stateInWords(status)}</p>
          <p class="muted">${joinFacts([amountsInWords(status), last])}</p>
        </div>
        ${state === 'off' || state === 'locked' ? nothing : this.#renderControls(sync)}
      </div>
      ${remarksInWords(status).map((words) => html`<p class="remark">${words}</p>`)}
      ${this.#forms.renderProblem('control')}`;
  }

  #renderControls(sync: DeviceSync): TemplateResult {
    const control = (command: () => Promise<void> | void) => () =>
      void this.#forms.run('control', command, () => undefined);
    const isPaused = sync.status.state === 'paused';
    const pause = msg('Pause', { id: 'mcp.sync.pause' });
    const resume = msg('Resume', { id: 'mcp.sync.resume' });
    const now = msg('Sync now', { id: 'mcp.sync.now' });
    return html`<div class="buttons">
      ${
        isPaused
          ? nothing
          : this.#renderButton(
              now,
              control(() => sync.syncNow()),
            )
      }
      ${
        isPaused
          ? this.#renderButton(
              resume,
              control(() => sync.resume()),
            )
          : this.#renderButton(
              pause,
              control(() => sync.pause()),
            )
      }
    </div>`;
  }

  #renderJoin(sync: DeviceSync): TemplateResult {
    const suggestion = suggestDeviceName();
    return this.#forms.render({
      name: 'join',
      words: msg(
        'Choose a passphrase of at least 12 characters on your first device. Enter it on each further one, or a code from a device that has joined. Everything is encrypted before it leaves this device.',
        { id: 'mcp.sync.join-words' },
      ),
      secretLabel: msg('Passphrase or code', { id: 'mcp.sync.secret' }),
      more: html`<div class="field">
        <label for="name">
          <span class="title">${msg('Name of this device', { id: 'mcp.sync.name' })}</span>
        </label>
        <input
          id="name"
          autocomplete="off"
          maxlength=${MAX_NAME_LENGTH}
          dir="auto"
          .defaultValue=${suggestion}
        />
      </div>`,
      submit: msg('Join', { id: 'mcp.sync.join' }),
      command: (secret, name) => sync.join({ secret, deviceName: cleanName(name) || suggestion }),
      onsuccess: ({ recoveryCode }) => {
        if (recoveryCode) this.#showCode({ kind: 'recovery', text: recoveryCode });
        else this.#moveFocus('.state');
      },
    });
  }

  #renderUnlock(sync: DeviceSync): TemplateResult {
    return this.#forms.render({
      name: 'unlock',
      words: msg(
        'Another device has changed the keys, as when a device is removed. Enter the passphrase to go on.',
        { id: 'mcp.sync.unlock-words' },
      ),
      secretLabel: msg('Passphrase or recovery code', { id: 'mcp.sync.unlock-secret' }),
      submit: msg('Unlock', { id: 'mcp.sync.unlock' }),
      command: (secret) => sync.unlock(secret),
      onsuccess: () => this.#moveFocus('.state'),
    });
  }

  #renderConflicts(conflicts: readonly SyncConflict[]): TemplateResult {
    return html`<section part="conflicts" aria-labelledby="conflicts">
      <h3 id="conflicts">${msg('Changed on two devices', { id: 'mcp.sync.conflicts' })}</h3>
      <p class="words">
        ${msg('Both versions are kept, in one note or in two entries. Delete what you do not want.', { id: 'mcp.sync.both' })}
      </p>
      <ul>
        ${conflicts.slice(0, MAX_ROWS).map((conflict) => this.#renderConflict(conflict))}
      </ul>
    </section>`;
  }

  #renderConflict({ uri, copyUri, at }: SyncConflict): TemplateResult {
    const title = this.#titles.titles.get(uri);
    const isNamed = title !== undefined || !uri.startsWith('note:');
    const name = isNamed ? truncateText(title ?? nameOf(uri)) : typeInWords(uri);
    const open = (address: string) => () =>
      void this.dispatchEvent(new McpResourceSelectEvent({ uri: address, name }, 'open'));
    const copy = msg('Open the copy', { id: 'mcp.sync.open-copy' });
    return html`<li>
      ${renderName(name, renderTime(at))}
      <div class="buttons">
        ${this.#renderButton(msg('Open', { id: 'mcp.template-form.open' }), open(uri), name)}
        ${copyUri === undefined ? nothing : this.#renderButton(copy, open(copyUri), name)}
      </div>
    </li>`;
  }

  #renderDevices(sync: DeviceSync): TemplateResult {
    const { device: own, devices } = sync.status;
    const open = this.#step?.name === 'remove' ? this.#step.device : undefined;
    // The device stays in the list as long as its form is open.
    const isGone = open && devices.every(({ id }) => id !== open.id);
    const shown = (isGone ? [...devices, open] : devices)
      .toSorted((a, b) => Number(b.id === own) - Number(a.id === own))
      .slice(0, MAX_ROWS);
    return html`<section part="devices" aria-labelledby="devices">
      <h3 id="devices">${msg('Devices', { id: 'mcp.sync.devices' })}</h3>
      <ul>
        ${repeat(
          shown,
          ({ id }) => id,
          (device) => this.#renderDevice(sync, device),
        )}
      </ul>
      ${this.#renderOpener(msg('Add a device', { id: 'mcp.sync.add' }), { name: 'invite' })}
      ${this.#step?.name === 'invite' ? this.#renderInvite(sync) : nothing}
    </section>`;
  }

  #renderDevice(sync: DeviceSync, device: SyncedDevice): TemplateResult {
    const name = truncateText(device.name, MAX_NAME_LENGTH);
    const isOpen = this.#step?.name === 'remove' && this.#step.device.id === device.id;
    const isOwn = device.id === sync.status.device;
    const remove = msg('Remove', { id: 'mcp.sync.remove' });
    return html`<li>
      ${renderName(name, isOwn ? msg('This device', { id: 'mcp.sync.this-device' }) : renderSeen(device.seenAt))}
      ${isOwn ? nothing : this.#renderOpener(remove, { name: 'remove', device }, name)}
      ${isOpen ? this.#renderRemove(sync, device) : nothing}
    </li>`;
  }

  #renderInvite(sync: DeviceSync): TemplateResult {
    return this.#forms.render({
      name: 'invite',
      words: msg('The other device gets a code, so that you need not type the passphrase there.', {
        id: 'mcp.sync.invite-words',
      }),
      secretLabel: msg('Passphrase', { id: 'mcp.sync.passphrase' }),
      submit: msg('Show a code', { id: 'mcp.sync.invite' }),
      command: async (passphrase) => {
        const endsAt = Date.now() + INVITATION_MS;
        return { text: await sync.invite(passphrase), endsAt };
      },
      onsuccess: (code) => this.#showCode({ kind: 'invitation', ...code }),
      oncancel: () => this.#toggle({ name: 'invite' }),
    });
  }

  #renderRemove(sync: DeviceSync, device: SyncedDevice): TemplateResult {
    const name = isolate(truncateText(device.name, MAX_NAME_LENGTH));
    return this.#forms.render({
      name: 'remove',
      words: msg(
        str`${name} can read nothing that changes from now on, and keeps what it has. Every other device asks for the passphrase once.`,
        { id: 'mcp.sync.remove-words' },
      ),
      secretLabel: msg('Passphrase', { id: 'mcp.sync.passphrase' }),
      submit: msg('Remove the device', { id: 'mcp.sync.remove-device' }),
      command: (passphrase) => sync.removeDevice(device.id, passphrase),
      onsuccess: (text) => this.#showCode({ kind: 'new-recovery', text }),
      oncancel: () => this.#toggle({ name: 'remove', device }),
    });
  }

  #renderLeave(sync: DeviceSync): TemplateResult {
    const label = msg('Leave', { id: 'mcp.sync.leave' });
    return html`<section>
      ${this.#renderOpener(label, { name: 'leave' })}
      ${this.#step?.name === 'leave' ? this.#renderLeaving(sync) : nothing}
    </section>`;
  }

  #renderLeaving(sync: DeviceSync): TemplateResult {
    return this.#forms.render({
      name: 'leave',
      words: msg(
        'Everything stays, on this device and on the others. From then on, they no longer get the changes of each other.',
        { id: 'mcp.sync.leave-words' },
      ),
      submit: msg('Leave the devices', { id: 'mcp.sync.leave-devices' }),
      command: () => sync.leave(),
      onsuccess: () => {
        this.#step = undefined;
        this.#moveFocus('form.join #secret');
      },
      oncancel: () => this.#toggle({ name: 'leave' }),
    });
  }

  /** A button that opens or closes the form of a step. */
  #renderOpener(label: string, step: Step, about?: string): TemplateResult {
    return this.#renderButton(label, () => this.#toggle(step), about, this.#isOpen(step));
  }

  #renderButton(
    label: string,
    onclick: () => void,
    about?: string,
    isOpen?: boolean,
  ): TemplateResult {
    const isBusy = this.#forms.running !== undefined;
    return html`<button
      type="button"
      aria-disabled=${isBusy}
      aria-expanded=${isOpen ?? nothing}
      aria-label=${about === undefined ? nothing : `${label}: ${isolate(about)}`}
      @click=${() => isBusy || onclick()}
    >
      ${label}
    </button>`;
  }

  #showCode(code: ShownCode): void {
    this.#step = undefined;
    this.#code.show(code);
    // The minutes of the invitation begin now.
    this.#startClock();
    this.#moveFocus('#code-title');
  }

  #isOpen(step: Step): boolean {
    const idOf = (one: Step | undefined): string => (one?.name === 'remove' ? one.device.id : '');
    return this.#step?.name === step.name && idOf(this.#step) === idOf(step);
  }

  #toggle(step: Step): void {
    const isOpen = this.#isOpen(step);
    if (isOpen) this.#find('[aria-expanded=true]')?.focus();
    this.#forms.clear();
    this.#step = isOpen ? undefined : step;
    this.#moveFocus(
      isOpen ? '' : `form.${step.name} ${step.name === 'leave' ? '.words' : '#secret'}`,
    );
  }

  /** Forgets the data of the previous sync. */
  #forget(): void {
    this.#forms.reset();
    this.#code.show(undefined);
    this.#step = undefined;
  }

  #watch(sync: DeviceSync | undefined): void {
    if (sync === this.#watched) return;
    this.#watched?.removeEventListener('status', this.#onStatus);
    sync?.addEventListener('status', this.#onStatus);
    this.#watched = sync;
  }

  readonly #onStatus = (): void => this.requestUpdate();

  #startClock(): void {
    clearTimeout(this.#clock);
    if (!this.isConnected) return;
    this.#clock = setTimeout(() => {
      this.requestUpdate();
      this.#startClock();
    }, CLOCK_MS);
  }

  #moveFocus(selector: string): void {
    this.#focusTarget = selector;
    this.requestUpdate();
  }

  #find(selector: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(selector);
  }
}

function renderName(name: string, facts: unknown): TemplateResult {
  return html`<div class="about">
    <span class="one-line" title=${name}>${name}</span>
    <span class="muted">${facts}</span>
  </div>`;
}

function renderSeen(ms: number): unknown {
  const age = formatAge(isoOf(ms));
  return age && msg(str`Last seen: ${age}`, { id: 'mcp.sync.seen' });
}

function renderTime(ms: number): TemplateResult {
  return html`<time datetime=${isoOf(ms)} title=${formatDate(ms)}>${formatAge(isoOf(ms))}</time>`;
}

/** The time in ISO 8601; empty for 0, and for a number that is not a date. */
function isoOf(ms: number): string {
  const date = new Date(ms || NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** A name that no other device refuses: on one line, and without characters that change its direction. */
const cleanName = (name: string): string => name.replaceAll(/[\p{Cc}\p{Bidi_C}]/gu, '').trim();

declare global {
  interface HTMLElementTagNameMap {
    'mcp-sync': McpSync;
  }
}
