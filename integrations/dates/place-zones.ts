/**
 * Time zones by their everyday names in English and German: cities in `Intl`'s zone names, and a table of others. Data and a
 * look-up; must not parse a sentence. Called by places.ts.
 */

/** Regions of `Intl` zone names whose last part is a city. */
const CITIES = /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[^/]+$/
/** Cities whose names are also a person's name or a common word. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'chatham christmas creston dawson easter gambier jersey kirov knox marigot midway nome norfolk oral regina resolute stanley ' +
    'thule troll truk wake center'
  ).split(' '),
)

/** Names that `Intl` does not have, by zone. German adjectives in "-er" are derived from the name. */
const OTHERS: Readonly<Record<string, string>> = {
  'America/Chicago': 'central,us central,dallas,houston,austin,minneapolis,nashville,new orleans,st louis',
  'America/Denver': 'mountain,us mountain,salt lake city,boulder',
  'America/Los_Angeles':
    'pacific,us pacific,la,san francisco,sf,seattle,portland,san diego,silicon valley,las vegas,california,kalifornien,kalifornische,west coast',
  'America/New_York':
    'eastern,us eastern,nyc,ny,boston,washington,philadelphia,miami,atlanta,pittsburgh,baltimore,orlando,east coast,new yorck',
  'America/Mexico_City': 'mexiko stadt,mexiko-stadt',
  'America/Sao_Paulo': 'rio,rio de janeiro,são paulo',
  'America/Toronto': 'montreal,ottawa,quebec',
  'America/Vancouver': 'victoria bc',
  'America/Edmonton': 'calgary',
  'America/Bogota': 'bogotá',
  'America/Havana': 'havanna',
  'Africa/Cairo': 'kairo',
  'Africa/Johannesburg': 'cape town,kapstadt,pretoria,durban,south africa,südafrika,südafrikanische',
  'Asia/Calcutta':
    'kolkata,kalkutta,mumbai,bombay,delhi,new delhi,neu delhi,neu-delhi,bangalore,bengaluru,chennai,hyderabad,pune,india,indian,indien,indische',
  'Asia/Dubai': 'abu dhabi',
  'Asia/Hong_Kong': 'hongkong',
  'Asia/Jerusalem': 'tel aviv,israel,israeli,israelische',
  'Asia/Katmandu': 'kathmandu',
  'Asia/Saigon': 'ho chi minh city,hanoi',
  'Asia/Seoul': 'south korea,korea,korean,südkorea,koreanische,südkoreanische',
  'Asia/Shanghai': 'beijing,peking,shenzhen,guangzhou,china,chinese,chinesische',
  'Asia/Singapore': 'singapur',
  'Asia/Taipei': 'taiwan,taipeh',
  'Asia/Tehran': 'teheran',
  'Asia/Tokyo': 'tokio,tokiot,tokyot,osaka,kyoto,japan,japanese,japanische',
  'Australia/Sydney': 'canberra',
  'Europe/Athens': 'athen,greece,greek,griechische',
  'Europe/Berlin':
    'munich,münchen,münchn,frankfurt,hamburg,cologne,köln,köln,stuttgart,düsseldorf,leipzig,dresden,dresdn,bremen,brem,germany,german,deutschland,deutsche,central european,mitteleuropäische,mez,mesz',
  'Europe/Brussels': 'brüssel,antwerp,antwerpen',
  'Europe/Bucharest': 'bukarest',
  'Europe/Copenhagen': 'kopenhagen,denmark,danish,dänische',
  'Europe/Dublin': 'ireland,irish,irische',
  'Europe/Helsinki': 'finland,finnish,finnische',
  'Europe/Istanbul': 'ankara,turkey,turkish,türkische',
  'Europe/Kiev': 'kyiv,kiew',
  'Europe/Lisbon': 'lissabon,porto',
  'Europe/London':
    'uk,u.k,britain,british,england,english,edinburgh,manchester,cambridge,oxford,glasgow,britische,englische',
  'Europe/Madrid': 'barcelona,valencia,seville,sevilla,spain,spanish,spanische',
  'Europe/Moscow': 'moskau',
  'Europe/Oslo': 'norway,norwegian,norwegische',
  'Europe/Paris': 'lyon,marseille,toulouse,france,french,frankreich,französische',
  'Europe/Prague': 'prag',
  'Europe/Rome':
    'rom,röm,milan,mailand,mailänd,naples,neapel,florence,florenz,venice,venedig,turin,italy,italian,italien,italienische',
  'Europe/Stockholm': 'gothenburg,sweden,swedish,schwedische',
  'Europe/Amsterdam': 'rotterdam,the hague,netherlands,dutch,niederländische',
  'Europe/Vienna': 'wien,salzburg,graz,austria,austrian,österreich,österreichische',
  'Europe/Warsaw': 'warschau,krakow,krakau,poland,polish,polnische',
  'Europe/Zurich': 'zürich,zürch,geneva,genf,basel,bern,switzerland,swiss,schweiz',
  'Pacific/Auckland': 'wellington,new zealand,neuseeland,neuseeländische',
  'Pacific/Honolulu': 'hawaii',
  UTC: 'utc,gmt,greenwich,greenwich mean,universal,coordinated universal',
}

/** Created on first use, because most messages name no place. */
let known: ReadonlyMap<string, string> | null = null

function zones(): ReadonlyMap<string, string> {
  const own = Intl.supportedValuesOf('timeZone').flatMap((zone): readonly (readonly [string, string])[] => {
    const name = plainOf(zone.slice(zone.lastIndexOf('/') + 1))
    return CITIES.test(zone) && !WORDS.has(name) ? [[name, zone]] : []
  })
  const others = Object.entries(OTHERS).flatMap(([zone, names]) =>
    names.split(',').map((name) => [plainOf(name), zone] as const),
  )
  return new Map([...own, ...others])
}

/** The IANA zone with this everyday name: `Tokyo`, `New Yorker`, `deutscher`, `Eastern`; null for anything else. */
export function zoneNamed(words: string): string | null {
  known ??= zones()
  const name = plainOf(words.replace(/['’]s$/iu, ''))
  // German: "Londoner Zeit", "nach deutscher Zeit".
  const bare = [name, ...(name.endsWith('er') ? [name.slice(0, -2), `${name.slice(0, -1)}`] : [])]
  return bare.map((one) => known?.get(one)).find((zone) => zone !== undefined) ?? null
}

function plainOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll(/[_.-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
