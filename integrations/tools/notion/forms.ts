/**
 * Plain sentences for requests about pages, for those in words that no declared sentence has. Pure data. Must not plan. Collected
 * by `npm run tables`.
 */
import { type Forms, LOOKS, SHOWN } from '../form.ts'

/** Other services have pages and lists too, so Notion must be named. */
const NAMED = /(?<!\p{L})notion(?!\p{L})/iu

export const NOTION_FORMS: Forms = {
  'notion.append': {
    ...{ ...SHOWN, tool: 'notion.append', asksBy: NAMED },
    says: {
      en: ['append "{text}" to the notion page {where}', 'append "{text}" to the notion page {what}'],
      de: ['append "{text}" to the notion page {where}', 'append "{text}" to the notion page {what}'],
    },
  },
  'notion.comment': {
    ...{ ...SHOWN, tool: 'notion.comment', asksBy: /(?<!\p{L})(?:comment\p{L}*|komment\p{L}*)(?!\p{L})/iu },
    says: {
      en: ['comment "{text}" on the notion page {where}', 'comment "{text}" on the notion page {what}'],
      de: [
        'kommentiere die notion-seite {where} mit {text}',
        'kommentiere die notion-seite {what} mit {text}',
      ],
    },
  },
  'notion.read_page': {
    ...{ ...LOOKS, tool: 'notion.read_page', least: 0.45, single: 'what', asksBy: NAMED },
    says: {
      en: ['open the notion page {what}', 'open the notion page {where}'],
      de: ['öffne die Notion-Seite {what}', 'öffne die Notion-Seite {where}'],
    },
  },
  'notion.search': {
    ...{ ...LOOKS, tool: 'notion.search', least: 0.5, single: 'what', asksBy: NAMED },
    ignoredParts: ['when'],
    says: { en: ['search notion for {what}'], de: ['search notion for {what}'] },
  },
}
