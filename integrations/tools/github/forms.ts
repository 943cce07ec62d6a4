/**
 * Plain sentences for requests about repositories, for those in words that no declared sentence has. Pure data. Must not plan.
 * Collected by `npm run tables`.
 */
import { type Forms, READ, SHOWN } from '../form.ts'
import { ITEM, REPO } from './phrases.ts'

/** "24/7" and "12/2026" are no repositories. */
const NAMED = `(?=[^\\s/]*[a-z])${REPO.replace('/', '/(?=[^\\s]*[a-z])')}`
const SHAPES = { repo: NAMED, item: ITEM }
const ON_GITHUB = /(?<!\p{L})(?:github|gh)(?!\p{L})/iu

export const GITHUB_FORMS: Forms = {
  'github.create_issue': {
    ...{ ...SHOWN, tool: 'github.create_issue', least: 0.6, single: 'what' },
    says: { en: ['open an issue in {where}: {what}'], de: ['open an issue in {where}: {what}'] },
  },
  'github.list_prs': {
    ...{ ...READ, tool: 'github.list_prs', shapes: SHAPES },
    says: { en: ['show the open PRs in {repo}'], de: ['show the open PRs in {repo}'] },
  },
  'github.ci_state': {
    ...{ ...READ, tool: 'github.ci_state', shapes: SHAPES },
    says: {
      en: ['is the build green on {item}', 'is the build green in {repo}'],
      de: ['is the build green on {item}', 'is the build green in {repo}'],
    },
  },
  'github.list_notifications': {
    ...{ ...READ, tool: 'github.list_notifications', asksBy: ON_GITHUB },
    says: { en: ['check GitHub'], de: ['check GitHub'] },
  },
}
