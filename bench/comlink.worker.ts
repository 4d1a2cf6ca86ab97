import { expose } from 'comlink';
import { FIXED, FIXED_TEXT } from './fixed-text.js';

expose({ read: (uri: string) => (uri === FIXED.uri ? { uri, text: FIXED_TEXT } : undefined) });
