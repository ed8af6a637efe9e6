class Rain:
    """Rain by month, as a chart."""

    def __init__(self, months):
        self.months = months

    def _repr_mimebundle_(self, include=None, exclude=None):
        values = [{"month": month, "rain": rain} for month, rain in self.months.items()]
        return {
            "application/vnd.vegalite.v5+json": {
                "title": "Rain by month",
                "data": {"values": values},
                "mark": "bar",
                "encoding": {
                    "x": {"field": "month", "type": "nominal", "sort": None},
                    "y": {"field": "rain", "type": "quantitative", "title": "mm"},
                },
            },
            "text/plain": f"Rain of {len(values)} months",
        }


Rain({"May": 53, "June": 65, "July": 81})
