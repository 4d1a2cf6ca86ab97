/**
 * The zip format of PKWARE's APPNOTE.TXT, 6.3.10. The comments name its sections.
 */

/** The first four bytes of each kind of record, as a little-endian number. */
export const SIGNATURE = {
  /** Section 4.3.7. */
  localHeader: 0x04_03_4b_50,
  /** Section 4.3.9. */
  dataDescriptor: 0x08_07_4b_50,
  /** Section 4.3.12. */
  directoryEntry: 0x02_01_4b_50,
  /** Section 4.3.14. */
  zip64End: 0x06_06_4b_50,
  /** Section 4.3.15. */
  zip64Locator: 0x07_06_4b_50,
  /** Section 4.3.16. */
  end: 0x06_05_4b_50,
} as const;

/** The length of the fixed part of each kind of record, in bytes. */
export const LENGTH = {
  localHeader: 30,
  directoryEntry: 46,
  zip64End: 56,
  zip64Locator: 20,
  end: 22,
} as const;

/** General purpose flags (4.4.4). */
export const FLAG = {
  encrypted: 0x0001,
  /** Sizes and CRC follow the bytes, in a data descriptor. */
  hasDescriptor: 0x0008,
  /** The name is UTF-8. */
  utf8: 0x0800,
} as const;

/** Compression methods (4.4.5). */
export const METHOD = { stored: 0, deflated: 8 } as const;

/** The extra field for values that do not fit into 32 bits (4.5.3). */
export const ZIP64_FIELD = 0x0001;

/** The extra field for a name in UTF-8, in addition to one in another encoding (4.6.9). */
export const UNICODE_PATH_FIELD = 0x7075;

/** Marks that the value of a 16-bit or 32-bit field is elsewhere (4.4.1.4). */
export const ELSEWHERE_16 = 0xff_ff;
export const ELSEWHERE_32 = 0xff_ff_ff_ff;

const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;

/**
 * A time in the format of archives (4.4.6), with a resolution of two seconds. The format has no
 * time zone: UTC is used, so that an archive has the same meaning everywhere.
 */
export function toDosTime(ms: number): { date: number; time: number } {
  const exact = new Date(ms);
  const year = exact.getUTCFullYear();
  const from = Date.UTC(FIRST_YEAR, 0, 1);
  const to = Date.UTC(LAST_YEAR, 11, 31, 23, 59, 58);
  const at = year < FIRST_YEAR ? new Date(from) : year > LAST_YEAR ? new Date(to) : exact;
  return {
    date:
      ((at.getUTCFullYear() - FIRST_YEAR) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** Converts to milliseconds since 1970. An invalid date, such as 31 April, overflows to the next month. */
export function fromDosTime(date: number, time: number): number {
  const year = FIRST_YEAR + (date >> 9);
  const month = ((date >> 5) & 0xf) - 1;
  return Date.UTC(year, month, date & 0x1f, time >> 11, (time >> 5) & 0x3f, (time & 0x1f) * 2);
}
