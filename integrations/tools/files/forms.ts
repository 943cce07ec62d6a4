/**
 * Plain sentences for searches in own files, for those in words that no declared sentence has. Pure data. Must not plan.
 * Collected by `npm run tables`.
 */
import { type Forms, LOOKS } from '../form.ts'

export const FILES_FORMS: Forms = {
  'files.search': {
    ...{ ...LOOKS, tool: 'files.search', least: 0.6 },
    ignoredParts: ['where'],
    says: { en: ['search my files for {what}'], de: ['such in meinen Dateien nach {what}'] },
  },
  'files.read': {
    ...{ ...LOOKS, tool: 'files.read', least: 0.7, single: 'what' },
    ignoredParts: ['where'],
    says: { en: ['read the file {what}'], de: ['lies die Datei {what} vor'] },
  },
}
