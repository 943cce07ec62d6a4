/**
 * Whether an entity is of the home, or of a body. An installation does not say, so only what names itself as a measure of a home is read, and nothing of that whose
 * name or unit speaks of a body: the rest would be health data under the label of a room. Pure. Called by shape.ts.
 */

/** Domains that switch, open or stand for a thing: none of them measures a body. */
const THINGS: ReadonlySet<string> = new Set([
  ...['climate', 'light', 'switch', 'cover', 'lock', 'fan', 'media_player', 'person', 'device_tracker'],
  ...['weather', 'vacuum', 'water_heater', 'humidifier', 'alarm_control_panel', 'valve'],
])
const SENSORS: ReadonlySet<string> = new Set(['sensor', 'binary_sensor'])

/** Device classes (https://developers.home-assistant.io/docs/core/entity/sensor/, …/binary-sensor/). */
const CLASSES: ReadonlySet<string> = new Set([
  ...[
    'temperature',
    'humidity',
    'moisture',
    'water',
    'power',
    'energy',
    'battery',
    'battery_charging',
    'gas',
  ],
  ...['illuminance', 'carbon_dioxide', 'carbon_monoxide', 'pm25', 'pm10', 'aqi', 'pressure', 'voltage'],
  ...['volatile_organic_compounds', 'atmospheric_pressure', 'current', 'frequency', 'wind_speed', 'enum'],
  ...['precipitation', 'precipitation_intensity', 'irradiance', 'signal_strength', 'monetary', 'data_rate'],
  ...['window', 'door', 'garage_door', 'opening', 'lock', 'motion', 'moving', 'occupancy', 'presence'],
  ...['running', 'smoke', 'heat', 'cold', 'light', 'plug', 'problem', 'safety', 'tamper', 'connectivity'],
])

/** Beginnings of words, in names and ids; a bedroom is no bed. */
const BODY =
  /(?<![a-zäöüß])(?:body|bmi|weight|weigh|fat|muscle|heart|pulse|bpm|hrv|sleep(?!ing room)|asleep|awake|bed(?![a-z])|blood|glucose|insulin|sugar|spo2|oxygen|steps?(?![a-z])|calori|fever|skin|menstru|cycle day|pregnan|medic|pill|health|stress|breath|respirat|thermometer|körper|gewicht|herz|puls|schlaf(?!zimmer|raum)|bett(?![a-zäöü])|blut|zucker|sauerstoff|schritte?(?![a-z])|kalorien|fieber|haut|zyklus|schwanger|tablette|gesundheit|atem|atmung)/i
const BODY_UNIT = /^(?:bpm|kg|g|lbs?|st|mmHg|kcal|cal|steps?|mg\/dL|mmol\/L|BrPM|breaths.*)$/i

export interface Named {
  readonly domain: string
  /** Empty for none. */
  readonly deviceClass: string
  /** Name, id and area, with spaces between words. */
  readonly words: string
  readonly unit: string
}

export function isOfHome({ domain, deviceClass, words, unit }: Named): boolean {
  if (BODY.test(words) || BODY_UNIT.test(unit.trim())) return false
  return THINGS.has(domain) || (SENSORS.has(domain) && CLASSES.has(deviceClass))
}
