import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.consent.allow': 'هل تسمح بهذا؟',
  'mcp.consent.always': 'دائمًا',
  'mcp.consent.calls-itself': 'يسمّي نفسه',
  'mcp.consent.decline-all': 'رفض الكل',
  'mcp.consent.details': 'تُطلب منك معلومات',
  'mcp.consent.do-not-send': 'عدم الإرسال',
  'mcp.consent.lasting': 'ينطبق «دائمًا» و«أبدًا» على كل سؤال من الجهة نفسها.',
  'mcp.consent.lasting-tool': str`ينطبق «دائمًا» و«أبدًا» على كل استخدام لـ ${0} من الجهة نفسها.`,
  'mcp.consent.look-alike': 'يحتوي هذا العنوان على أحرف قد تشبه أحرفًا أخرى.',
  'mcp.consent.more': str`أسئلة أخرى: ${0}`,
  'mcp.consent.never': 'أبدًا',
  'mcp.consent.no': 'لا',
  'mcp.consent.no-origin': 'إطار يُخفي المتصفح عنوانه',
  'mcp.consent.not-whole': 'اعرض النص كاملًا قبل أن توافق.',
  'mcp.consent.question': 'السؤال',
  'mcp.consent.secrets': 'لا تُدخل هنا كلمات مرور أو أسرارًا أخرى.',
  'mcp.consent.send': 'إرسال',
  'mcp.consent.this-page': 'هذه الصفحة',
  'mcp.consent.title': 'سؤال لك',
  'mcp.consent.tool': 'الأداة',
  'mcp.consent.values': 'القيم',
  'mcp.consent.who': 'من يسأل',
  'mcp.consent.yes': 'نعم',
  'mcp.consent.yes-once': 'نعم، هذه المرة',
};
