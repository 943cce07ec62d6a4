/** Requests about repositories said plainly, for those in words that no sentence has. Pure data. Must not plan. Collected by `npm run tables`. */
import { type Forms, SHOWN } from '../form.ts'

export const GITHUB_FORMS: Forms = {
  'github.create_issue': {
    ...{ ...SHOWN, tool: 'github.create_issue', least: 0.6, single: 'what' },
    says: { en: ['open an issue in {where}: {what}'], de: ['open an issue in {where}: {what}'] },
  },
}
