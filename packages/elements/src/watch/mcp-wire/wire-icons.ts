import { warningIcon } from '../../base/look/icons.js';
import type { WireEntry } from './wire-entry.js';

// Paths of Lucide, as in look/icons.ts.
const sentIcon = 'M12 19V5M5 12l7-7 7 7';
const receivedIcon = 'M12 5v14M19 12l-7 7-7-7';
const notificationIcon =
  'M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326';
const connectionIcon = 'M12 22v-5M9 8V2M15 8V2M18 8v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V8z';
export const clearIcon =
  'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6';
export const newestIcon = 'M12 5v10M19 8l-7 7-7-7M5 20h14';

/** The icon of a line. */
export function iconOf({ kind, direction }: WireEntry): string {
  switch (kind) {
    case 'request':
      return direction === 'sent' ? sentIcon : receivedIcon;
    case 'notification':
      return notificationIcon;
    case 'opened':
    case 'closed':
      return connectionIcon;
    case 'answer':
    case 'invalid':
    case 'problem':
      return warningIcon;
  }
}
