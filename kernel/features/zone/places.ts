/**
 * Time zones by the cities that name them, and by other places that people say, in English and German. Must not guess: a place in
 * neither list is unknown. Called by zone.ts and by the phrases of `zone.set`.
 */

/** Cities that name no zone, countries with one zone, and German names. */
const ALSO: Readonly<Record<string, string>> = {
  ...{
    barcelona: 'Europe/Madrid',
    valencia: 'Europe/Madrid',
    seville: 'Europe/Madrid',
    spain: 'Europe/Madrid',
  },
  ...{
    munich: 'Europe/Berlin',
    münchen: 'Europe/Berlin',
    hamburg: 'Europe/Berlin',
    cologne: 'Europe/Berlin',
  },
  ...{
    köln: 'Europe/Berlin',
    frankfurt: 'Europe/Berlin',
    germany: 'Europe/Berlin',
    deutschland: 'Europe/Berlin',
  },
  ...{
    wien: 'Europe/Vienna',
    austria: 'Europe/Vienna',
    österreich: 'Europe/Vienna',
    zürich: 'Europe/Zurich',
  },
  ...{ geneva: 'Europe/Zurich', genf: 'Europe/Zurich', bern: 'Europe/Zurich', basel: 'Europe/Zurich' },
  ...{ switzerland: 'Europe/Zurich', milan: 'Europe/Rome', mailand: 'Europe/Rome', rom: 'Europe/Rome' },
  ...{ venice: 'Europe/Rome', florence: 'Europe/Rome', italy: 'Europe/Rome', italien: 'Europe/Rome' },
  ...{ lyon: 'Europe/Paris', france: 'Europe/Paris', frankreich: 'Europe/Paris', lissabon: 'Europe/Lisbon' },
  ...{
    porto: 'Europe/Lisbon',
    brüssel: 'Europe/Brussels',
    kopenhagen: 'Europe/Copenhagen',
    prag: 'Europe/Prague',
  },
  ...{ warschau: 'Europe/Warsaw', athen: 'Europe/Athens', greece: 'Europe/Athens', moskau: 'Europe/Moscow' },
  ...{
    edinburgh: 'Europe/London',
    manchester: 'Europe/London',
    england: 'Europe/London',
    uk: 'Europe/London',
  },
  ...{ ireland: 'Europe/Dublin', irland: 'Europe/Dublin', kyiv: 'Europe/Kiev', kiew: 'Europe/Kiev' },
  ...{
    tokio: 'Asia/Tokyo',
    kyoto: 'Asia/Tokyo',
    osaka: 'Asia/Tokyo',
    japan: 'Asia/Tokyo',
    seoul: 'Asia/Seoul',
  },
  ...{
    beijing: 'Asia/Shanghai',
    peking: 'Asia/Shanghai',
    china: 'Asia/Shanghai',
    singapur: 'Asia/Singapore',
  },
  ...{ delhi: 'Asia/Kolkata', mumbai: 'Asia/Kolkata', bangalore: 'Asia/Kolkata', india: 'Asia/Kolkata' },
  ...{ indien: 'Asia/Kolkata', kolkata: 'Asia/Kolkata', 'abu dhabi': 'Asia/Dubai', hanoi: 'Asia/Bangkok' },
  ...{
    thailand: 'Asia/Bangkok',
    bali: 'Asia/Makassar',
    'tel aviv': 'Asia/Jerusalem',
    israel: 'Asia/Jerusalem',
  },
  ...{ kairo: 'Africa/Cairo', egypt: 'Africa/Cairo', 'cape town': 'Africa/Johannesburg' },
  ...{
    kapstadt: 'Africa/Johannesburg',
    'south africa': 'Africa/Johannesburg',
    'new york city': 'America/New_York',
  },
  ...{ nyc: 'America/New_York', boston: 'America/New_York', washington: 'America/New_York' },
  ...{ miami: 'America/New_York', philadelphia: 'America/New_York', atlanta: 'America/New_York' },
  ...{ austin: 'America/Chicago', dallas: 'America/Chicago', houston: 'America/Chicago' },
  ...{
    'san francisco': 'America/Los_Angeles',
    seattle: 'America/Los_Angeles',
    'san diego': 'America/Los_Angeles',
  },
  ...{
    'las vegas': 'America/Los_Angeles',
    california: 'America/Los_Angeles',
    kalifornien: 'America/Los_Angeles',
  },
  ...{ portland: 'America/Los_Angeles', montreal: 'America/Toronto', ottawa: 'America/Toronto' },
  ...{ mexiko: 'America/Mexico_City', 'rio de janeiro': 'America/Sao_Paulo', rio: 'America/Sao_Paulo' },
  ...{ hawaii: 'Pacific/Honolulu', wellington: 'Pacific/Auckland', 'new zealand': 'Pacific/Auckland' },
  ...{ canberra: 'Australia/Sydney' },
}

const CITIES: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone.includes('/') && !zone.startsWith('Etc/'))
    .map((zone) => [plain(zone.split('/').at(-1) ?? zone), zone] as const),
  ...Object.entries(ALSO),
])

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ').trim()
}

/** Pattern source of all known places. */
export const PLACES: string = [...CITIES.keys()]
  .toSorted((one, other) => other.length - one.length)
  .map((name) => name.replace(/[^\p{L}\p{N} -]/gu, '.').replaceAll(' ', ' +'))
  .join('|')

/** IANA name of the zone; null for an unknown place. */
export function zoneOf(said: string): string | null {
  const named = CITIES.get(plain(said.replace(/^the /i, '').replace(/\s+/g, ' ')))
  if (named !== undefined) return named
  const zone = said.trim()
  return zone.includes('/') || zone.toUpperCase() === 'UTC' ? known(zone) : null
}

function known(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
