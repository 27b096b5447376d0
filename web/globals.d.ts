// What the compiler cannot see.

// Style sheets are imported as text: see script in tools/web.
declare module "*.css" {
  const text: string
  export default text
}

// The scripts that the search of the site loads.
declare const weftSearch: {finder: (index: any) => (query: string, most: number) => any[]}
declare const weftIndex: any
