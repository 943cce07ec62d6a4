/** Phrases of weather requests, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/weather'
import type { Phrases } from '../phrase.ts'
import { HOW, PLACE, WORN } from './place.ts'

export const WEATHER_PHRASES: Phrases = {
  typed: TYPED,
  shapes: { place: PLACE },
  asks: [
    {
      says: {
        en: [
          ...[
            'will it rain in {place} [{when}]',
            'is it going to rain in {place} [{when}]',
            'does it rain in {place} [{when}]',
          ],
          ...['will it snow in {place} [{when}]', 'is it going to snow in {place} [{when}]'],
          ...[
            `will it be ${HOW} in {place} [{when}]`,
            `is it ${HOW} in {place} [{when}]`,
            `how ${HOW} is it in {place} [{when}]`,
          ],
          ...[
            `how ${HOW} will it be in {place} [{when}]`,
            'will it rain {when} in {place}',
            `will it be ${HOW} {when} in {place}`,
          ],
          ...[
            'what is the weather [like] in {place} [{when}]',
            "what's the weather [like] in {place} [{when}]",
          ],
          ...['how is the weather in {place} [{when}]', "how's the weather in {place} [{when}]"],
          ...[
            'what will the weather be [like] in {place} [{when}]',
            'what is the weather [like] {when} in {place}',
          ],
          ...[
            '[the] weather [forecast] in {place} [{when}]',
            '[the] weather [forecast] for {place} [{when}]',
          ],
          ...[
            '[the] forecast for {place} [{when}]',
            '{place} weather [{when}]',
            'weather {place} [{when}]',
            'weather forecast {place} [{when}]',
          ],
          ...[
            'do I need an umbrella in {place} [{when}]',
            `do I need (a|my|some) ${WORN} in {place} [{when}]`,
          ],
        ],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'weather.forecast', args: { place: '{place}' } }],
    },
    {
      says: {
        en: [
          '(will it|is it going to|does it|is it gonna|its gonna) (rain|snow|pour|lash|freeze|be warm enough|be dry enough|storm|be sunny|be warm|be cold|be hot|be windy|be icy|be dry|be wet|be frosty|be foggy|be nice) [{when}]',
          '(any|a chance of|chance of) (rain|snow|sun|frost) [{when}]',
          "(what is|what's|how is|how's) the weather [like|going to be] [{when}]",
          'what will the weather be [like] [{when}]',
          'how (cold|warm|hot) (is it|will it be|is it going to be) [{when}]',
          '[the] weather [forecast] [for] [{when}]',
          '(do|will|should) I (need|take) (an umbrella|a coat|a jacket) [{when}]',
        ],
        de: [
          'wie (wird|ist) das wetter [{when}]',
          '(regnet|schneit) es [{when}]',
          'wird es [{when}] (regnen|schneien|kalt|warm|heiß|glatt|trocken|trocken genug sein|regen geben|gewittern|stürmisch)',
          "wird's [{when}] (regnen|schneien|kalt|warm|heiß|glatt|trocken)",
          '(bleibt|ist) es [{when}] (trocken|warm|kalt|glatt|sonnig)',
          'wie (kalt|warm) (ist|wird) es [{when}]',
          '[das] wetter [{when}]',
          'brauche ich [{when}] einen (schirm|regenschirm)',
        ],
      },
      lacks: 'needs_place',
      plan: [],
    },
  ],
}
