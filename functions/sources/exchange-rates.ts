/** Units of a currency for one euro, by currency code. */
export type Rates = Readonly<Record<string, number>>;

/**
 * The euro rates of one minute (`2026-05-01T02:00Z`), from the JSON feed at `EXCHANGE_RATES_URL`
 * (`GET <url>?minute=…` answers `{ "rates": { "USD": 1.08 } }`). Without that variable, from the sample feed below.
 */
export async function readRates(minute: string, signal: AbortSignal): Promise<Rates> {
  const url = process.env["EXCHANGE_RATES_URL"];
  if (!url) return sampleRates(minute);

  const response = await fetch(`${url}?minute=${encodeURIComponent(minute)}`, { signal });
  if (!response.ok) throw new Error(`The rates feed ${url} answered ${response.status} for minute ${minute}`);
  const { rates } = (await response.json()) as { rates: Rates };
  return rates;
}

/** A feed for laptops and tests: swings by up to 1 % over the day, and always says the same of the same minute. */
export function sampleRates(minute: string): Rates {
  const minuteOfDay = (Date.parse(minute) / 60_000) % 1440;
  const swing = 1 + 0.01 * Math.sin((2 * Math.PI * minuteOfDay) / 1440);
  const middle = { USD: 1.0842, GBP: 0.8391, CHF: 0.9417, JPY: 163.5, SEK: 11.28 };
  return Object.fromEntries(
    Object.entries(middle).map(([currency, value]) => [currency, Number((value * swing).toFixed(4))]),
  );
}
