/**
 * Plain sentences for the weather at a place, for questions in words that no declared sentence has. Pure data. Must not plan.
 * Collected by `npm run tables`.
 */
import { type Forms, LOOKS } from '../form.ts'

export const WEATHER_FORMS: Forms = {
  'weather.forecast': {
    ...{ ...LOOKS, tool: 'weather.forecast', least: 0.6 },
    ignoredParts: ['what'],
    says: { en: ["what's the weather in {where}[ {when}]"], de: ['wie wird das Wetter in {where}[ {when}]'] },
  },
}
