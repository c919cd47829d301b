/** How every client of an account is made; what is absent the SDK's own chain finds. */
export interface AwsPlace {
  readonly region?: string;
  readonly profile?: string;
}
