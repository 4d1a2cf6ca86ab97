import { wordsIn } from './words.js';

/** Sentences in scripts without spaces; several can be cut in more than one way. */
const SAMPLES = [
  '我们在图书馆里读书他说的确实在理研究生命起源南京市长江大桥',
  '東京都に住んでいる外国人参政権すもももももももものうちソフトウェアを更新する',
  'ตากลมนั่งตากลมอยู่ที่ตลาดในประเทศไทยกับคอมพิวเตอร์',
  'ພາສາລາວເປັນພາສາຕະຫຼາດໃນປະເທດລາວ',
  'ភាសាខ្មែរជាភាសាផ្សារនៅក្នុងប្រទេសកម្ពុជា',
  'မြန်မာဘာသာစကားသည်မြန်မာနိုင်ငံ၏ဘာသာစကားဖြစ်သည်',
];

let known: string | undefined;

/**
 * Which words a text without spaces has depends on the browser's dictionaries, which another version
 * of the browser may have changed. This is the same string as long as they cut a few sentences in the
 * same places: an index that was made with another one would not find everything.
 */
export function segmentation(): string {
  known ??= SAMPLES.map((text) => wordsIn(text).map(({ length }) => length)).join(' ');
  return known;
}
