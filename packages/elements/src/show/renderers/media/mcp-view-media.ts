import type { ResourceContents } from '@inpage-mcp/client';
import { msg } from '@lit/localize';
import { css, html, type TemplateResult } from 'lit';
import { theme } from '../../../base/look/theme.js';
import { blobOf } from '../../../reading/content-bytes.js';
import type { Slices } from '../../../reading/slices.js';
import { nameOf } from '../../../base/text/name-of.js';
import { downloadUrl, renderDownload } from '../download.js';
import { RendererBase } from '../renderer-base.js';
import { rendererStyles } from '../renderer.styles.js';

interface Model {
  contents: ResourceContents;
  blob: Blob;
  isAudio: boolean;
  /** For the player. */
  url: string;
  /** For the download, where the browser cannot play it. */
  fallbackUrl: string | undefined;
}

/** Where a player was before it got other bytes. */
interface Place {
  seconds: number;
  isPlaying: boolean;
}

/** A type of which no browser makes a document. */
const MEDIA_TYPE = /^(audio|video)\/[\w.+-]{1,60}$/;

/**
 * Audio or video with the browser's own controls. What the browser cannot play is offered as a
 * download.
 *
 * @csspart media - The player.
 * @csspart download - The download.
 * @csspart partial - The remark that only the first part is shown.
 */
export class McpViewMedia extends RendererBase<Model> {
  static override readonly styles = [
    theme,
    rendererStyles,
    css`
      .player {
        display: grid;
        place-items: center;
        min-block-size: 0;
        padding: 1rem;
      }

      audio,
      video {
        max-inline-size: 100%;
        max-block-size: 100%;
      }

      audio {
        inline-size: min(100%, 36rem);
      }

      video {
        border-radius: var(--_radius);
        background: black;
      }
    `,
  ];

  #place: Place | undefined;

  protected override async prepare(contents: ResourceContents, slices: Slices): Promise<Model> {
    const blob = await blobOf(contents, slices);
    slices.throwIfAborted();
    const type = MEDIA_TYPE.test(contents.mimeType ?? '') ? contents.mimeType! : '';
    this.#place = placeOf(this.#player);
    return {
      contents,
      blob,
      isAudio: type.startsWith('audio/'),
      url: URL.createObjectURL(blob.slice(0, blob.size, type)),
      fallbackUrl: undefined,
    };
  }

  protected override release({ url, fallbackUrl }: Model): void {
    URL.revokeObjectURL(url);
    if (fallbackUrl !== undefined) URL.revokeObjectURL(fallbackUrl);
  }

  protected override renderModel(model: Model): TemplateResult {
    const { contents, blob, fallbackUrl } = model;
    const reason = msg('The browser cannot play this.', { id: 'mcp.renderers.not-playable' });
    return html`${this.renderPartial()}
    ${
      fallbackUrl === undefined
        ? this.#renderPlayer(model)
        : renderDownload(contents, blob, fallbackUrl, reason)
    }`;
  }

  get #player(): HTMLMediaElement | undefined {
    return this.renderRoot.querySelector<HTMLMediaElement>('audio, video') ?? undefined;
  }

  #renderPlayer(model: Model): TemplateResult {
    const { contents, isAudio, url } = model;
    const name = nameOf(contents.uri);
    const onerror = (): void => {
      model.fallbackUrl ??= downloadUrl(model.blob);
      this.requestUpdate();
    };
    const player = isAudio
      ? html`<audio
          part="media"
          controls
          preload="metadata"
          aria-label=${name}
          src=${url}
          @loadedmetadata=${this.#restorePlace}
          @error=${onerror}
        ></audio>`
      : html`<video
          part="media"
          controls
          playsinline
          preload="metadata"
          aria-label=${name}
          src=${url}
          @loadedmetadata=${this.#restorePlace}
          @error=${onerror}
        ></video>`;
    return html`<div class="player">${player}</div>`;
  }

  #restorePlace(): void {
    const player = this.#player;
    const place = this.#place;
    if (!player || !place) return;
    this.#place = undefined;
    player.currentTime = Math.min(place.seconds, player.duration || 0);
    // Where the browser wants a click first, the user gives it.
    if (place.isPlaying) player.play().catch(() => undefined);
  }
}

/** The element, for renderers.ts. */
export { McpViewMedia as renderer };

function placeOf(player: HTMLMediaElement | undefined): Place | undefined {
  return player && { seconds: player.currentTime, isPlaying: !player.paused && !player.ended };
}
