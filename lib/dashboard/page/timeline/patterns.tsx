/** How bars look beside their colours: what failed is hatched, what was lost is crossed, what timed out has stripes. */
export function Patterns() {
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="pattern-ground" width="5" height="5" />
          <rect class="pattern-line" width="1.800" height="5" />
        </pattern>
        <pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect class="pattern-ground" width="4" height="4" />
          <rect class="pattern-line" width="1.500" height="4" />
        </pattern>
        <pattern id="crosses" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="pattern-ground" width="5" height="5" />
          <path class="pattern-cross" d="M0 0h5M0 0v5" />
        </pattern>
      </defs>
    </svg>
  );
}
