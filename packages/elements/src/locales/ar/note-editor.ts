import { str } from '@lit/localize';
import type { Texts } from '../texts.js';

export const texts: Texts = {
  'mcp.editor.choose': 'اختر ملاحظة لتحريرها.',
  'mcp.editor.title': 'العنوان',
  'mcp.editor.text': 'النص بتنسيق Markdown',
  'mcp.editor.hint': 'اكتب بتنسيق Markdown',
  'mcp.editor.mine': 'نسختك',
  'mcp.editor.theirs': 'النسخة الأخرى',
  'mcp.editor.saving': 'جارٍ الحفظ',
  'mcp.editor.unsaved': 'لم يُحفظ بعد',
  'mcp.editor.saved': 'تم الحفظ',
  'mcp.editor.conflict': 'غيّر شخص آخر هذه الملاحظة أثناء كتابتك.',
  'mcp.editor.keep-both': 'احتفظ بالنسختين',
  'mcp.editor.keep-mine': 'احتفظ بنسختي',
  'mcp.editor.take-theirs': 'خذ النسخة الأخرى',
  'mcp.editor.deleted': 'حُذفت هذه الملاحظة أثناء كتابتك. كلماتك موجودة هنا فقط.',
  'mcp.editor.save-new': 'احفظها ملاحظةً جديدة',
  'mcp.editor.failed': 'تعذّر حفظ كلماتك.',
  'mcp.editor.my-version': str`${0} (نسختي)`,
  'mcp.editor.costly': 'يستغرق عرض هذا النص في حقل نصي وقتًا طويلًا. قد لا تستجيب الصفحة حتى يُعرض.',
  'mcp.editor.edit-anyway': 'حرِّر على أي حال',
  'mcp.editor.unsupported': 'ليست لدى هذا الخادم ملاحظات يمكن تحريرها.',
  'mcp.editor.readonly': 'لا يسمح الخادم بتغيير هذه الملاحظة.',
};
